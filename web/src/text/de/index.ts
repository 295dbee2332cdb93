import type { Texts } from '../index.tsx';
import account from './account.ts';
import common from './common.ts';
import entry from './entry.ts';
import members from './members.ts';
import shell from './shell.ts';

export default { common, shell, entry, account, members } satisfies Texts;
