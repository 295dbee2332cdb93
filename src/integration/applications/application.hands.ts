import { Conflict, lookUp, timestamp } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID } from '#platform/ids.ts';
import type { ApplicationRow, HandsChange } from '#schema';
import type { ApplicationListener, NewWebhookKey, RecordChange } from './application.facts.ts';
import type { Application } from './application.schema.ts';
import type { ApplicationSecrets } from './application.secrets.ts';
import {
  awaitOwner,
  changeOwner,
  endAwaiting,
  expireSecrets,
  lockApplication,
  pageOfOrphans,
  pageOfOwned,
  setSuspended,
} from './application.store.ts';
import type { applicationViews } from './application.view.ts';
import { isPublic } from './client-type.ts';
import { isSuspended } from './suspension.ts';

/** The hands that an application is in: its owner's, another one's, or nobody's while it sleeps. */
export function applicationHands(deps: {
  db: Database;
  clock: Clock;
  secrets: ApplicationSecrets;
  views: ReturnType<typeof applicationViews>;
  publish: ApplicationListener;
  lockOwner: (tx: Tx, userId: string) => Promise<{ id: string } | undefined>;
  renewWebhookKeys: (tx: Tx, applicationId: string) => Promise<NewWebhookKey[]>;
  recordChange: RecordChange;
}) {
  const { db, clock, secrets, views, publish, lockOwner, renewWebhookKeys, recordChange } = deps;

  /** For an application whose owner is about to leave. It sleeps until the new one takes it over. @throws NotFound */
  async function giveTo(tx: Tx, id: string, userId: string): Promise<Application> {
    // The account first, as where it is closed.
    const { id: ownerId } = await lookUp(userId, (known) => lockOwner(tx, known));
    const row = await lookUp(id, (known) => lockApplication.first(tx, { id: known }));
    if (ownerId === row.owner_id) return views.ofOwner(tx, row);
    await changeOwner.run(tx, { id: row.id, ownerId, now: clock() });
    await recordChange(tx, 'application.owner_changed', row.id, { from: row.owner_id, to: ownerId });
    return views.ofOwner(tx, await changeHands(tx, { ...row, owner_id: ownerId }, 'owner_changed'));
  }

  /**
   * The application is in other hands: somebody may hold its secrets who should not, or its owner is
   * somebody else than its teams agreed to. It sleeps until a living owner takes it over, and what it was granted
   * until each team has agreed again.
   */
  async function changeHands(tx: Tx, row: ApplicationRow, why: HandsChange): Promise<ApplicationRow> {
    const now = clock();
    await awaitOwner.run(tx, { id: row.id, awaits_owner_why: why, now });
    const asleep = { ...row, awaits_owner_since: now, awaits_owner_why: why, updated_at: now };
    await recordChange(tx, 'application.suspended', row.id, { why, owner: row.owner_id });
    await publish(tx, { kind: 'changed_hands', application: asleep });
    return asleep;
  }

  /** For an owner whose account was closed, or was in the hands of another. */
  async function suspendOwned(tx: Tx, ownerId: string, why: HandsChange): Promise<void> {
    for await (const id of inPages((page) => pageOfOwned.all(tx, { ownerId, ...page }))) {
      const row = await lockApplication.first(tx, { id });
      if (row?.owner_id === ownerId) await changeHands(tx, row, why);
    }
  }

  /** Finds applications whose owner is gone, whatever closed the account. @returns their ids */
  async function suspendOrphans(): Promise<string[]> {
    const orphans: string[] = [];
    for await (const id of inPages((page) => pageOfOrphans.all(db, page))) {
      orphans.push(id);
      await db.write(async (tx) => {
        const row = await lockApplication.first(tx, { id });
        if (row?.awaits_owner_since === null) await changeHands(tx, row, 'owner_closed');
      });
    }
    return orphans;
  }

  /** The operator's decision; it ends by `wake`, and leaves secrets and agreements as they are. @throws NotFound */
  async function suspend(tx: Tx, id: string): Promise<Application> {
    const row = await lookUp(id, (known) => lockApplication.first(tx, { id: known }));
    if (row.suspended_at !== null) return views.ofOwner(tx, row);
    const now = clock();
    await setSuspended.run(tx, { id: row.id, since: now, now });
    const asleep = { ...row, suspended_at: now, updated_at: now };
    await recordChange(tx, 'application.suspended', row.id, { why: 'operator' });
    await publish(tx, { kind: 'suspended', application: asleep });
    return views.ofOwner(tx, asleep);
  }

  /** @throws NotFound @throws Conflict for one that only its owner can wake */
  async function wake(tx: Tx, id: string): Promise<Application> {
    const row = await lookUp(id, (known) => lockApplication.first(tx, { id: known }));
    if (row.suspended_at === null && row.awaits_owner_since !== null)
      throw new Conflict('awaits_owner', 'The application sleeps until its owner takes it over');
    if (row.suspended_at === null) return views.ofOwner(tx, row);
    const now = clock();
    await setSuspended.run(tx, { id: row.id, since: null, now });
    const awake = { ...row, suspended_at: null, woken_at: now, updated_at: now };
    await recordChange(tx, 'application.woken', row.id);
    await publish(tx, { kind: isSuspended(awake) ? 'suspended' : 'woken', application: awake });
    return views.ofOwner(tx, awake);
  }

  /** The owner's new secret wakes it, or their word where it has none: secrets that others may hold are dead at once. */
  async function takeOver(tx: Tx, row: ApplicationRow) {
    const now = clock();
    await expireSecrets.run(tx, { applicationId: row.id, at: now });
    const webhook_keys = await renewWebhookKeys(tx, row.id);
    await endAwaiting.run(tx, { id: row.id, now });
    const awake = {
      ...row,
      awaits_owner_since: null,
      awaits_owner_why: null,
      woken_at: now,
      updated_at: now,
    };
    await recordChange(tx, 'application.taken_over', row.id);
    if (!isSuspended(awake)) await publish(tx, { kind: 'woken', application: awake });
    return {
      id: row.id,
      ...(!isPublic(row) && { client_secret: await secrets.add(tx, row.id, now) }),
      previous_expires_at: timestamp(now),
      webhook_keys,
    };
  }

  return { giveTo, suspendOwned, suspendOrphans, suspend, wake, takeOver };
}

/** The ids of all, however many. */
async function* inPages(
  read: (page: { after: string; limit: number }) => Promise<{ id: string }[]>,
): AsyncGenerator<string> {
  const limit = 500;
  for (let after = LOWEST_ID; ; ) {
    const rows = await read({ after, limit });
    for (const { id } of rows) yield id;
    if (rows.length < limit) return;
    after = rows.at(-1)?.id ?? after;
  }
}
