import type { Texts } from '../shape.ts';
import account from './account.ts';
import common from './common.ts';
import developers from './developers.ts';
import entry from './entry.ts';
import members from './members.ts';
import search from './search.ts';
import shell from './shell.ts';

export default { common, shell, entry, account, members, search, developers } satisfies Texts;
