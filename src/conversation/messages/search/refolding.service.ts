import type { Database } from '#platform/db/index.ts';
import { type Clock, HIGHEST_ID, LOWEST_ID } from '#platform/ids.ts';
import { isFoldedAnew } from '#platform/text/fold.ts';
import type { MessageIndexPassRow } from '#schema';
import { indexAgain } from './indexing.ts';
import { findPass, listBetween, savePass } from './refolding.store.ts';

const AT_ONCE = 100;
/** Servers of the release before have ended by then: a second pass looks at what they indexed since the first one began. */
const SECOND_PASS_MS = 3_600_000;
/** The pass after more letters are folded. The next change of the folding needs another one. */
const BEGUN: MessageIndexPassRow = { id: 1, top_id: null, before_id: null, after_id: null, due_at: 0 };

/**
 * Indexes messages from before an upgrade again whose words are folded in another way now, some at a time. Two nodes may
 * do the same at the same time, which is work done twice and nothing worse.
 * @returns whether there may be more
 */
export async function refoldMessages(db: Database, clock: Clock): Promise<boolean> {
  const pass = (await findPass.first(db, { id: BEGUN.id })) ?? BEGUN;
  if (pass.due_at === null || pass.due_at > clock()) return false;
  const rows = await listBetween.all(db, {
    before: pass.before_id ?? HIGHEST_ID,
    after: pass.after_id ?? LOWEST_ID,
    limit: AT_ONCE,
  });
  const begun = { ...pass, top_id: pass.top_id ?? rows[0]?.id ?? null };
  const last = rows[AT_ONCE - 1];
  const next = last ? { ...begun, before_id: last.id } : afterPass(begun, clock());
  const anew = rows.filter(
    (row) => isFoldedAnew(row.text) || row.mentions_json !== '[]' || isFoldedAnew(row.attachments_json),
  );
  await indexAgain(
    { db, clock },
    anew.map(({ id }) => id),
    (tx) => savePass.run(tx, next),
  );
  return last !== undefined;
}

const afterPass = (pass: MessageIndexPassRow, now: number): MessageIndexPassRow =>
  pass.after_id === null && pass.top_id !== null
    ? { ...BEGUN, after_id: pass.top_id, due_at: now + SECOND_PASS_MS }
    : { ...pass, due_at: null };
