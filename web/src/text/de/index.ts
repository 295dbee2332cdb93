import type { Texts } from '../shape.ts';
import common from './common.ts';
import entry from './entry.ts';
import members from './members.ts';
import search from './search.ts';
import shell from './shell.ts';

export default { common, shell, entry, members, search } satisfies Texts;
