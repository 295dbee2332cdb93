import { migrations } from '#schema';
import { print } from '../process/printable.ts';
import { version } from '../process/version.ts';

/** The version comes first and alone in its line, for scripts. Needs no settings and no database. */
export function printVersion(): void {
  print(version);
  print(`schema ${migrations.at(-1)?.name}`);
}
