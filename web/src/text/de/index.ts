import type { Texts } from '../index.tsx';
import common from './common.ts';
import developers from './developers.ts';
import entry from './entry.ts';
import members from './members.ts';
import shell from './shell.ts';

export default { common, shell, entry, members, developers } satisfies Texts;
