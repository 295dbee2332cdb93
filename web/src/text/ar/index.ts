import type { Texts } from '../shape.ts';
import account from './account.ts';
import administration from './administration.ts';
import blocks from './blocks.ts';
import common from './common.ts';
import developers from './developers.ts';
import entry from './entry.ts';
import errors from './errors.ts';
import members from './members.ts';
import search from './search.ts';
import shell from './shell.ts';
import teams from './teams.ts';

export default {
  common,
  errors,
  shell,
  entry,
  account,
  members,
  blocks,
  search,
  teams,
  developers,
  administration,
} satisfies Texts;
