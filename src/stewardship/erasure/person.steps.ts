import type { Tx } from '#platform/db/index.ts';
import type { EraseMessages } from './erase-messages.ts';
import { eraseEvents } from './events.step.ts';
import {
  deleteAccessTokensOf,
  deleteAgreementsOf,
  deleteCodesOf,
  deleteGrantsOf,
  deleteRefreshTokensOf,
  forgetResponses,
  pageOfDeliveries,
  pageOfWritten,
  rewriteDelivery,
  type Written,
} from './person.store.ts';
import { BATCH, type Step } from './step.ts';
import { withoutPerson } from './without-person.ts';

/** Longer than a transaction that read the user before the deletion can still be under way. */
export const LATECOMERS_MS = 10 * 60_000;

/** The bodies of calls to applications name people: they stay in the log of deliveries, without the person. */
async function eraseFromDeliveries(tx: Tx, userId: string, place: string): Promise<string | undefined> {
  const page = await pageOfDeliveries.all(tx, { after: place, limit: BATCH });
  for (const { id, body_json } of page.filter((row) => row.body_json.includes(userId))) {
    const body = withoutPerson(JSON.parse(body_json), userId);
    await rewriteDelivery.run(tx, { id, body: JSON.stringify(body) });
    // What the application answered may repeat what it was sent.
    await forgetResponses.run(tx, { deliveryId: id });
  }
  return page.length < BATCH ? undefined : page.at(-1)?.id;
}

/** They were revoked with the account. */
async function deleteTokens(tx: Tx, userId: string): Promise<undefined> {
  await deleteAccessTokensOf.run(tx, { userId });
  await deleteRefreshTokensOf.run(tx, { userId });
  await deleteCodesOf.run(tx, { userId });
  await deleteGrantsOf.run(tx, { userId });
  await deleteAgreementsOf.run(tx, { userId });
}

/** Whether nobody but its author sees it: what they wrote to themselves alone, and added to that. */
function isNote(row: Written, userId: string): boolean {
  const toNobodyElse = row.addressed_users_json === JSON.stringify([userId]);
  const inTeam = row.team_id !== null && row.sidebar_id === null;
  return toNobodyElse && !inTeam && (row.root_author_id ?? userId) === userId;
}

export type Forget = (tx: Tx, userId: string) => Promise<unknown>;

/** Twice: somebody may just have been making a call, or writing a mail, when the person was deleted. */
export function personSteps(deps: {
  forget: readonly Forget[];
  eraseMessages: EraseMessages;
}): readonly Step[] {
  const { forget, eraseMessages } = deps;
  const eraseNotes: Step = {
    erase: async (tx, userId, after) => {
      const page = await pageOfWritten.all(tx, { userId, after, limit: BATCH });
      const notes = page.filter((row) => isNote(row, userId));
      await eraseMessages(
        tx,
        notes.map(({ id }) => id),
      );
      return page.length < BATCH ? undefined : page.at(-1)?.id;
    },
  };
  const forgetRows: Step = {
    erase: async (tx, userId) => {
      for (const one of forget) await one(tx, userId);
      return undefined;
    },
  };
  return [
    eraseNotes,
    forgetRows,
    eraseEvents,
    { erase: eraseFromDeliveries, pauseMs: LATECOMERS_MS },
    { erase: eraseFromDeliveries },
    eraseNotes,
    forgetRows,
    // That they left is the newest event of a quiet server, which the first look lets be.
    eraseEvents,
    { erase: deleteTokens },
  ];
}
