import { type Database, type Reader, type Tx, together } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { MessageRow } from '#schema';
import { lockedNames, nameIn } from '../../../objects/index.ts';
import { audienceOf } from '../view/message.audience.ts';
import { mentionedIn, mentionsOf } from '../view/message.present.ts';
import type { Contained } from '../view/message.schema.ts';
import { textAndBlocks } from '../view/shown-blocks.ts';
import { enqueueAll, lockFree } from './reindexing.store.ts';
import {
  addToIndex,
  authorMark,
  containedMark,
  findSubjectsOf,
  type Indexed,
  objectMark,
  subjectMark,
  teamMark,
  userMark,
} from './search.store.ts';
import { wordsOf } from './search-words.ts';

export type Names = Awaited<ReturnType<typeof lockedNames>>;

/** The names that stand in some messages, as they are until the transaction ends. */
export const namesIn = (tx: Tx, rows: readonly MessageRow[]): Promise<Names> =>
  lockedNames(tx, rows.flatMap(mentionedIn));

/** Puts messages into the index, or their present words in the place of earlier ones. The caller has locked them. */
export async function indexMessages(tx: Tx, rows: readonly MessageRow[], names: Names): Promise<void> {
  const live = rows.filter((row) => row.deleted_at === null);
  const subjects = await subjectsOf(tx, live);
  await addToIndex(tx, await together(live.map((row) => entryOf(tx, row, { names, subjects }))));
}

type Subjects = ReadonlyMap<string, string>;

/** Of conversations, by what opened them. */
async function subjectsOf(tx: Tx, rows: readonly MessageRow[]): Promise<Subjects> {
  const ids = [...new Set(rows.map(({ root_id }) => root_id))].filter((id) => id !== null);
  const found = ids.length === 0 ? [] : await findSubjectsOf.all(tx, { ids });
  return new Map(
    [...found, ...rows].flatMap(({ id, subject_id }) => (subject_id === null ? [] : [[id, subject_id]])),
  );
}

/**
 * Indexes messages again, those that others have locked a moment later with the new ones.
 * @param settle notes in the last transaction that it is done
 */
export async function indexAgain(
  { db, clock }: { db: Database; clock: Clock },
  ids: readonly string[],
  settle: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const left = await db.write(async (tx) => {
    const rows = await lockFree.all(tx, { ids });
    // Before a job's row, as a rename does.
    await indexMessages(tx, rows, await namesIn(tx, rows));
    const taken = new Set(rows.map(({ id }) => id));
    const skipped = ids.filter((id) => !taken.has(id));
    if (skipped.length === 0) await settle(tx);
    return skipped;
  });
  if (left.length === 0) return;
  await db.write(async (tx) => {
    await enqueueAll.run(tx, { ids: left, now: clock() });
    await settle(tx);
  });
}

async function entryOf(
  tx: Tx,
  row: MessageRow,
  { names, subjects }: { names: Names; subjects: Subjects },
): Promise<Indexed> {
  const subject = subjects.get(row.root_id ?? row.id);
  return {
    messageId: row.id,
    createdAt: row.created_at,
    marks: [
      ...(await scopesOf(tx, row)),
      authorMark(row.author_id),
      ...holdingsOf(row).map(containedMark),
      ...mentionedIn(row).map(objectMark),
      ...(subject === undefined ? [] : [subjectMark(subject)]),
    ],
    words: wordsOf(searchable(row, names)),
  };
}

async function scopesOf(tx: Reader, row: MessageRow): Promise<string[]> {
  const audience = await audienceOf(tx, row);
  return 'team' in audience ? [teamMark(audience.team)] : audience.users.map(userMark);
}

/** A link may stand beside the text or in it. */
function holdingsOf(row: MessageRow): Contained[] {
  const items = row.attachments_json === '[]' ? [] : (JSON.parse(row.attachments_json) as unknown[]);
  const types = new Set(items.map((item) => (item as { type?: unknown } | null)?.type));
  return [
    ...(types.has('file') ? (['file'] as const) : []),
    ...(types.has('link') || /https?:\/\/\S/i.test(row.text) ? (['link'] as const) : []),
    ...(row.mentions_json !== '[]' ? (['object'] as const) : []),
  ];
}

/** The text, that of the blocks, and the names that stand beside it. */
function searchable(row: MessageRow, names: Names): string {
  const text = textAndBlocks(row);
  if (row.attachments_json === '[]' && row.mentions_json === '[]') return text;
  const items = JSON.parse(row.attachments_json) as unknown[];
  const mentioned = mentionsOf(row).map(({ id, name }) =>
    nameIn(names.get(id), { given: name, at: row.created_at }),
  );
  return [text, ...items.flatMap(namesOf), ...mentioned].join('\n');
}

function namesOf(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [];
  const { title, name, url } = item as Record<string, unknown>;
  return [title, name, url].filter((value) => typeof value === 'string');
}
