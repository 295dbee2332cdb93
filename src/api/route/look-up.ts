import { parseId } from '#platform/ids.ts';
import { NotFound } from '../errors.ts';

/**
 * The row that an id from outside names.
 * @param find is given the id in its one stored form
 * @throws NotFound for a text that is no id, and where `find` finds nothing
 */
export async function lookUp<Row>(id: string, find: (id: string) => Promise<Row | undefined>): Promise<Row> {
  const known = parseId(id);
  const row = known === undefined ? undefined : await find(known);
  if (row === undefined) throw new NotFound();
  return row;
}
