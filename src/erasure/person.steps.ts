import type { Tx } from '#platform/db/index.ts';
import { eraseEvents } from './events.step.ts';
import {
  deleteAccessTokensOf,
  deleteCodesOf,
  deleteGrantsOf,
  deleteRefreshTokensOf,
  forgetResponses,
  pageOfDeliveries,
  rewriteDelivery,
} from './person.store.ts';
import { BATCH, type Step } from './step.ts';
import { withoutPerson } from './without-person.ts';

/** Longer than a transaction that read the user before the deletion can still be under way. */
const LATECOMERS_MS = 10 * 60_000;

/** The bodies of calls to applications name people: they stay in the log of deliveries, without the person. */
async function eraseFromDeliveries(tx: Tx, userId: string, place: string): Promise<string | undefined> {
  const page = await pageOfDeliveries.all(tx, { after: place, limit: BATCH });
  for (const { id, body_json } of page.filter((row) => row.body_json.includes(userId))) {
    const body = withoutPerson(JSON.parse(body_json), userId);
    await rewriteDelivery.all(tx, { id, body: JSON.stringify(body) });
    // What the application answered may repeat what it was sent.
    await forgetResponses.all(tx, { deliveryId: id });
  }
  return page.length < BATCH ? undefined : page.at(-1)?.id;
}

/** They were revoked with the account. */
async function deleteTokens(tx: Tx, userId: string): Promise<undefined> {
  await deleteAccessTokensOf.all(tx, { userId });
  await deleteRefreshTokensOf.all(tx, { userId });
  await deleteCodesOf.all(tx, { userId });
  await deleteGrantsOf.all(tx, { userId });
}

export type Forget = (tx: Tx, userId: string) => Promise<unknown>;

/** Twice: somebody may just have been making a call, or writing a mail, when the person was deleted. */
export function personSteps(forget: readonly Forget[]): readonly Step[] {
  const forgetRows: Step = {
    erase: async (tx, userId) => {
      for (const one of forget) await one(tx, userId);
      return undefined;
    },
  };
  return [
    forgetRows,
    eraseEvents,
    { erase: eraseFromDeliveries, pauseMs: LATECOMERS_MS },
    { erase: eraseFromDeliveries },
    forgetRows,
    { erase: deleteTokens },
  ];
}
