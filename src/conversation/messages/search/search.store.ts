import { sql } from 'kysely';
import { inIdList, PLANNED_EACH_TIME, type Reader, rawSelect, type Tx } from '#platform/db/index.ts';
import { insertion, statement } from '#schema';
import type { Contained } from '../view/message.schema.ts';
import type { Term } from './search-words.ts';

/**
 * Marks stand in the index beside the words of a message: its team, or each participant, which decide who may find it;
 * its author; the kinds of things in it; and the object that it mentions.
 */
export const teamMark = (teamId: string) => `t${teamId.replaceAll('-', '')}`;
export const userMark = (userId: string) => `u${userId.replaceAll('-', '')}`;
export const authorMark = (userId: string) => `a${userId.replaceAll('-', '')}`;
export const containedMark = (holding: Contained) => `h${holding}`;
export const subjectMark = (subjectId: string) => `s${subjectId.replaceAll('-', '')}`;
export const objectMark = (objectId: string) => `o${objectId.replaceAll('-', '')}`;

export interface Indexed {
  readonly messageId: string;
  readonly createdAt: number;
  readonly marks: readonly string[];
  readonly words: readonly string[];
}

/**
 * A message that was in the index before keeps its place. On SQLite all places come first: FTS5 writes what it has
 * gathered whenever a statement that may have to be undone alone begins, and the one that gives a place is such a one.
 */
export async function addToIndex(tx: Tx, entries: readonly Indexed[]): Promise<void> {
  if (tx.dialect === 'postgres') {
    await putVectors(
      tx,
      entries.map(({ messageId, createdAt, marks, words }) => ({
        message_id: messageId,
        created_at: createdAt,
        words: vectorOf(marks, words),
      })),
    );
    return;
  }
  const rows = await putPlaces.all(tx, {
    ids: entries.map(({ messageId }) => messageId),
  });
  const placeOf = new Map(rows.map(({ message_id, place }) => [message_id, place]));
  for (const { messageId, marks, words } of entries) {
    const place = placeOf.get(messageId) as number;
    await insertWords.all(tx, { place, scope: marks.join(' '), words: words.join(' ') });
  }
}

/** Its words are found no more; its place waits for others. */
export async function removeWords(tx: Tx, messageId: string): Promise<void> {
  await (tx.dialect === 'postgres' ? clearVector : deleteWordsOf).run(tx, { messageId });
}

export async function removeFromIndex(tx: Tx, messageId: string): Promise<void> {
  if (tx.dialect === 'sqlite') await removeWords(tx, messageId);
  await deletePlace.run(tx, { messageId });
}

/** The condition of a search: one of some marks, all of others, and every term; not without any of the last two. */
export interface Sought {
  readonly anyOf: readonly string[];
  /** Whether many messages have one of those marks. */
  readonly isWide: boolean;
  readonly allOf: readonly string[];
  readonly terms: readonly Term[];
}

/** Between two places, which are outside. */
export interface Places {
  readonly after: number;
  readonly before: number;
}

/** @returns the newest first: what the index knows; who may see it is checked afterwards */
export function findPlaces(
  db: Reader,
  sought: Sought,
  { after, before }: Places,
  limit: number,
): Promise<{ place: number; message_id: string }[]> {
  const places = { after, before, limit };
  if (db.dialect === 'sqlite') return findMatching.all(db, { match: matchOf(sought), ...places });
  const { anyOf, allOf, terms, isWide } = sought;
  const marks = anyMarkOf(anyOf);
  const narrow = [...terms.map(queryOf), ...allOf.map(quotedMark)];
  const { wide, narrow: narrowly } = terms.length === 0 ? OF_THINGS : OF_WORDS;
  return isWide
    ? wide.all(db, { match: narrow.join(' & '), marks, ...places })
    : narrowly.all(db, { match: [...narrow, `(${marks})`].join(' & '), ...places });
}

/** The first place of what was written at a time or later. */
export const firstPlaceSince = statement<{ time: number }>()((q, p) =>
  q
    .selectFrom('message_index')
    .select('place')
    .where('created_at', '>=', p.time)
    .orderBy('created_at')
    .orderBy('place')
    .limit(1),
);

/** The last place of what was written before a time. */
export const lastPlaceUntil = statement<{ time: number }>()((q, p) =>
  q
    .selectFrom('message_index')
    .select('place')
    .where('created_at', '<', p.time)
    .orderBy('created_at', 'desc')
    .orderBy('place', 'desc')
    .limit(1),
);

const putPlaces = statement<{ ids: readonly string[] }>()((q, p, dialect) => ({
  compile: () =>
    sql<{ place: number; message_id: string }>`INSERT INTO message_index (message_id, created_at)
      SELECT id, created_at FROM messages WHERE ${inIdList(dialect, 'id', p.ids)} ORDER BY id
      ON CONFLICT (message_id) DO UPDATE SET created_at = excluded.created_at
      RETURNING place, message_id`.compile(q),
}));

/** PostgreSQL only. */
const putVectors = insertion('message_index')(
  ['message_id', 'created_at', 'words'],
  () => 'ON CONFLICT (message_id) DO UPDATE SET words = excluded.words',
);

const clearVector = statement<{ messageId: string }>()((q, p) =>
  q.updateTable('message_index').set({ words: '' }).where('message_id', '=', p.messageId),
);

const insertWords = statement<{ place: number; scope: string; words: string }>()((q, p) => ({
  compile: () =>
    sql`INSERT OR REPLACE INTO message_words (rowid, scope, words) VALUES (${p.place}, ${p.scope}, ${p.words})`.compile(
      q,
    ),
}));

const deletePlace = statement<{ messageId: string }>()((q, p) =>
  q.deleteFrom('message_index').where('message_id', '=', p.messageId),
);

const deleteWordsOf = statement<{ messageId: string }>()((q, p) => ({
  compile: () =>
    sql`DELETE FROM message_words
      WHERE rowid = (SELECT place FROM message_index WHERE message_id = ${p.messageId})`.compile(q),
}));

interface Matching extends Places {
  readonly match: string;
  readonly limit: number;
}

interface Place {
  readonly place: number;
  readonly message_id: string;
}

const findMatching = statement<Matching>()((q, p) =>
  rawSelect(
    q,
    sql<Place>`SELECT place, message_id FROM message_words INNER JOIN message_index ON place = message_words.rowid
      WHERE message_words MATCH ${p.match} AND message_words.rowid < ${p.before} AND message_words.rowid > ${p.after}
      ORDER BY message_words.rowid DESC LIMIT ${p.limit}`,
  ),
);

/** PostgreSQL only. For rare words it uses the index of words; for frequent ones it goes through the newest messages. */
const findNarrow = (order: 'place' | 'place + 0') =>
  statement<Matching>()((q, p) =>
    rawSelect(
      q,
      sql<Place>`${sql.raw(PLANNED_EACH_TIME)} SELECT place, message_id FROM message_index
      WHERE words @@ CAST(${p.match} AS tsquery) AND place < ${p.before} AND place > ${p.after}
      ORDER BY ${sql.raw(order)} DESC LIMIT ${p.limit}`,
    ),
  );

/**
 * PostgreSQL only. The index would merge the lists of all the marks, which hold much of the table, to find a rare word:
 * `IS TRUE` keeps it from that, and the marks are looked at in the rows that have the words.
 */
const findWide = (order: 'place' | 'place + 0') =>
  statement<Matching & { marks: string }>()((q, p) =>
    rawSelect(
      q,
      sql<Place>`${sql.raw(PLANNED_EACH_TIME)} SELECT place, message_id FROM message_index
      WHERE words @@ CAST(${p.match} AS tsquery) AND (words @@ CAST(${p.marks} AS tsquery)) IS TRUE
        AND place < ${p.before} AND place > ${p.after}
      ORDER BY ${sql.raw(order)} DESC LIMIT ${p.limit}`,
    ),
  );

const OF_WORDS = { narrow: findNarrow('place'), wide: findWide('place') };
/**
 * PostgreSQL does not know how rare the things are that few messages hold, and would go through the newest ones to find
 * them: a sum has no index to go by.
 */
const OF_THINGS = { narrow: findNarrow('place + 0'), wide: findWide('place + 0') };

/** The last place that was given. */
export const lastPlace = statement<object>()((q) =>
  q.selectFrom('message_index').select('place').orderBy('place', 'desc').limit(1),
);

export const enqueueNew = insertion('message_index_queue')(['message_id', 'queued_at']);

export const enqueue = statement<{ messageId: string; now: number }>()((q, p) =>
  q
    .insertInto('message_index_queue')
    .values({ message_id: p.messageId, queued_at: p.now })
    .onConflict((conflict) => conflict.doNothing()),
);

/** A mark as the index is asked for it. */
export const queryOfMark = (dialect: Reader['dialect'], mark: string) =>
  dialect === 'sqlite' ? `scope : "${mark}"` : quotedMark(mark);

/**
 * Locks messages that wait, by id, which is the order of places. It skips those that other transactions have locked, to
 * edit them, reply to them or index them. An edit, too, locks the message before its row in the queue.
 */
export const lockWaiting = statement<{ limit: number }>()((q, p, dialect) => {
  const id = sql.ref('message_index_queue.message_id');
  const waiting = q
    .selectFrom('message_index_queue')
    // An array cannot be merged with: after a long queue, PostgreSQL would go through all messages up to the first of it.
    .innerJoin('messages', (join) =>
      join.on(sql<boolean>`messages.id = ${dialect === 'sqlite' ? id : sql`ANY (ARRAY[${id}])`}`),
    )
    .selectAll('messages')
    .orderBy('message_index_queue.message_id')
    .limit(p.limit);
  return dialect === 'sqlite' ? waiting : waiting.forNoKeyUpdate('messages').skipLocked();
});

/** @returns those that were in the queue still */
export const dequeue = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .deleteFrom('message_index_queue')
    .where(inIdList(dialect, 'message_id', p.ids))
    .returning('message_id'),
);

/** The number of a row in the queue: later ones have higher numbers. */
const numberOf = (dialect: Reader['dialect']) =>
  sql<number>`${sql.ref(dialect === 'sqlite' ? 'message_index_queue.rowid' : 'message_index_queue.number')}`;

export const findLastWaiting = statement<object>()((q, _, dialect) =>
  q
    .selectFrom('message_index_queue')
    .select(numberOf(dialect).as('number'))
    .orderBy(numberOf(dialect), 'desc')
    .limit(1),
);

export const isWaiting = statement<{ upTo: number }>()((q, p, dialect) =>
  q.selectFrom('message_index_queue').select('message_id').where(numberOf(dialect), '<=', p.upTo).limit(1),
);

/** A conversation that is about something else: what opened it, and its replies. */
export const enqueueConversation = statement<{ rootId: string; now: number }>()((q, p) =>
  q
    .insertInto('message_index_queue')
    .columns(['message_id', 'queued_at'])
    .expression(
      q
        .selectFrom('messages')
        .select('id')
        .select(sql<number>`${p.now}`.as('queued_at'))
        .where((eb) => eb.or([eb('id', '=', p.rootId), eb('root_id', '=', p.rootId)]))
        .where('deleted_at', 'is', null)
        .orderBy('id'),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** The subjects of some messages that opened conversations. */
export const findSubjectsOf = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('messages')
    .select(['id', 'subject_id'])
    .where(inIdList(dialect, 'id', p.ids))
    .where('subject_id', 'is not', null),
);

export const removeFromQueue = statement<{ messageId: string }>()((q, p) =>
  q.deleteFrom('message_index_queue').where('message_id', '=', p.messageId),
);

/** FTS5's query language. */
function matchOf({ anyOf, allOf, terms }: Sought): string {
  const any = anyOf.map((mark) => `"${mark}"`).join(' OR ');
  const marks = [`scope : (${any})`, ...allOf.map((mark) => `scope : "${mark}"`)];
  const all = terms
    .map(({ tokens, isPrefix }) => `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`)
    .join(' AND ');
  return [...marks, ...(all === '' ? [] : [`words : (${all})`])].join(' AND ');
}

/** In PostgreSQL's `tsquery`, a mark begins with a sign that is in no word: it cannot be typed. */
const quotedMark = (mark: string) => `'=${mark}'`;
const anyMarkOf = (marks: readonly string[]) => marks.map(quotedMark).join(' | ');

/** A term in PostgreSQL's `tsquery`. */
function queryOf({ tokens, isPrefix }: Term): string {
  const quoted = tokens.map((token) => `'${token}'`);
  return `(${quoted.join(' <-> ')}${isPrefix ? ':*' : ''})`;
}

const LAST_POSITION = 16_383;

function vectorOf(marks: readonly string[], words: readonly string[]): string {
  const positions = words.map((word, index) => `'${word}':${Math.min(index + 1, LAST_POSITION)}`);
  return [...marks.map(quotedMark), ...positions].join(' ');
}
