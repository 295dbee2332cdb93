import type { Texts } from '../index.tsx';
import administration from './administration.ts';
import common from './common.ts';
import entry from './entry.ts';
import members from './members.ts';
import shell from './shell.ts';
import teams from './teams.ts';

export default { common, shell, entry, members, teams, administration } satisfies Texts;
