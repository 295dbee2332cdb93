import { type RawBuilder, sql } from 'kysely';
import { HIGHEST_ID, LOWEST_ID } from '#platform/ids.ts';

/** Which way a walk through ids goes: backwards is towards older messages. */
export const startOf = (backwards: boolean): string => (backwards ? HIGHEST_ID : LOWEST_ID);
export const endOf = (backwards: boolean): string => startOf(!backwards);

/** Compares two ids by the order in which a walk meets them. */
export const inOrder = (backwards: boolean) => (one: string, other: string) =>
  (one < other ? -1 : Number(one > other)) * (backwards ? -1 : 1);

/** Makes something for each direction, such as a statement that stays prepared. */
export function bothWays<Made>(make: (backwards: boolean) => Made): (backwards: boolean) => Made {
  const [older, newer] = [make(true), make(false)];
  return (backwards) => (backwards ? older : newer);
}

/** The last condition of a select, its order and its limit. */
export function onward(
  backwards: boolean,
  name: 'id' | 'message_id',
  { from, limit }: { from: string; limit: number | RawBuilder<unknown> },
): RawBuilder<unknown> {
  const column = sql.ref(name);
  return backwards
    ? sql`${column} < ${from} ORDER BY ${column} DESC LIMIT ${limit}`
    : sql`${column} > ${from} ORDER BY ${column} LIMIT ${limit}`;
}
