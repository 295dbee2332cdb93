import { sql } from 'kysely';
import type { Reader, Tx } from '#platform/db/index.ts';
import { statement } from '../schema/index.ts';
import type { Term } from './search-words.ts';

/** Who may see a message, as words of the index: its team, or each of the people who take part in it. */
export const teamScope = (teamId: string) => `t${teamId.replaceAll('-', '')}`;
export const userScope = (userId: string) => `u${userId.replaceAll('-', '')}`;

export interface Indexed {
  readonly messageId: string;
  readonly scopes: readonly string[];
  readonly words: readonly string[];
}

export async function addToIndex(tx: Tx, entry: Indexed): Promise<void> {
  if (tx.dialect === 'postgres') {
    await insertVector.all(tx, { messageId: entry.messageId, words: vectorOf(entry) });
    return;
  }
  const made = await insertPlace.first(tx, { messageId: entry.messageId });
  await insertWords.all(tx, {
    place: made?.place as number,
    scope: entry.scopes.join(' '),
    words: entry.words.join(' '),
  });
}

export async function removeFromIndex(tx: Tx, messageId: string): Promise<void> {
  const gone = await deletePlace.first(tx, { messageId });
  if (gone && tx.dialect === 'sqlite') await deleteWords.all(tx, { place: gone.place });
}

/** @returns places before `before`, the newest first: what the index knows; who may see it is checked afterwards */
export function findPlaces(
  db: Reader,
  search: { scopes: readonly string[]; terms: readonly Term[]; before: number; limit: number },
): Promise<{ place: number; message_id: string }[]> {
  const { scopes, terms, before, limit } = search;
  const match = (db.dialect === 'sqlite' ? matchOf : vectorQueryOf)(scopes, terms);
  return matching.all(db, { match, before, limit });
}

const insertPlace = statement<{ messageId: string }>()((q, p) =>
  q
    .insertInto('message_index')
    .values({ message_id: p.messageId } as never)
    .returning('place'),
);

const insertVector = statement<{ messageId: string; words: string }>()((q, p) =>
  q
    .insertInto('message_index')
    .values({ message_id: p.messageId, words: sql`CAST(CAST(${p.words} AS text) AS tsvector)` }),
);

const insertWords = statement<{ place: number; scope: string; words: string }>()((q, p) => ({
  compile: () =>
    sql`INSERT INTO message_words (rowid, scope, words) VALUES (${p.place}, ${p.scope}, ${p.words})`.compile(
      q,
    ),
}));

const deletePlace = statement<{ messageId: string }>()((q, p) =>
  q.deleteFrom('message_index').where('message_id', '=', p.messageId).returning('place'),
);

const deleteWords = statement<{ place: number }>()((q, p) => ({
  compile: () => sql`DELETE FROM message_words WHERE rowid = ${p.place}`.compile(q),
}));

const matching = statement<{ match: string; before: number; limit: number }>()((q, p, dialect) => {
  const found = sql<{ place: number; message_id: string }>`SELECT place, message_id FROM ${
    dialect === 'sqlite'
      ? sql`message_words INNER JOIN message_index ON place = message_words.rowid
          WHERE message_words MATCH ${p.match} AND message_words.rowid < ${p.before}
          ORDER BY message_words.rowid DESC`
      : sql`message_index WHERE words @@ CAST(CAST(${p.match} AS text) AS tsquery) AND place < ${p.before}
          ORDER BY place DESC`
  } LIMIT ${p.limit}`;
  return { compile: () => found.compile(q) };
});

export const enqueue = statement<{ messageId: string }>()((q, p) =>
  q
    .insertInto('message_index_queue')
    .values({ message_id: p.messageId })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Gives the ids of what waits, and takes it out of the queue; a second node waits, and then finds the rest. */
export const dequeue = statement<{ limit: number }>()((q, p, dialect) => {
  const waiting = q
    .selectFrom('message_index_queue')
    .select('message_id')
    .orderBy('message_id')
    .limit(p.limit);
  return q
    .deleteFrom('message_index_queue')
    .where('message_id', 'in', dialect === 'postgres' ? waiting.forUpdate() : waiting)
    .returning('message_id');
});

export const findWaiting = statement<object>()((q) =>
  q.selectFrom('message_index_queue').select('message_id').limit(1),
);

export const removeFromQueue = statement<{ messageId: string }>()((q, p) =>
  q.deleteFrom('message_index_queue').where('message_id', '=', p.messageId),
);

/** FTS5's query language. */
function matchOf(scopes: readonly string[], terms: readonly Term[]): string {
  const any = scopes.map((scope) => `"${scope}"`).join(' OR ');
  const all = terms
    .map(({ tokens, isPrefix }) => `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`)
    .join(' AND ');
  return `scope : (${any}) AND words : (${all})`;
}

/** PostgreSQL's `tsquery`. A word that names a scope cannot be typed: it begins with a sign that is in no word. */
function vectorQueryOf(scopes: readonly string[], terms: readonly Term[]): string {
  const any = scopes.map((scope) => `'=${scope}'`).join(' | ');
  const all = terms.map(({ tokens, isPrefix }) => {
    const quoted = tokens.map((token) => `'${token}'`);
    return `(${quoted.join(' <-> ')}${isPrefix ? ':*' : ''})`;
  });
  return `(${any}) & ${all.join(' & ')}`;
}

const LAST_POSITION = 16_383;

function vectorOf({ scopes, words }: Indexed): string {
  const positions = words.map((word, index) => `'${word}':${Math.min(index + 1, LAST_POSITION)}`);
  return [...scopes.map((scope) => `'=${scope}'`), ...positions].join(' ');
}
