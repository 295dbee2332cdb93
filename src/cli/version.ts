import { migrations } from '#schema';
import { version } from '../process/version.ts';
import { print } from './with-database.ts';

/** The version comes first and alone in its line, for scripts. Needs no settings and no database. */
export function printVersion(): void {
  print(version);
  print(`schema ${migrations.at(-1)?.name}`);
}
