import {
  type CallsInTurn,
  Conflict,
  listPageById,
  lookUp,
  NotAllowed,
  NotFound,
  type Page,
  timestamp,
} from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import { cleaning, LEASE_MS } from '#platform/jobs/index.ts';
import type { ApplicationRow, DeliveryAttemptRow, DeliveryRow } from '#schema';
import {
  type ApplicationService,
  findAnyApplication,
  refusePublic,
  refuseSuspended,
} from '../applications/index.ts';
import type { Delivery } from './delivery.schema.ts';
import {
  administeredTeams,
  claimOne,
  deferCalls,
  endLeases,
  failOlder,
  findDelivery,
  findLiveInstallation,
  findUnderWay,
  giveUpCalls,
  insertDelivery,
  listAttempts,
  listDeliveries,
  lockWaiting,
  markReplaced,
  rewriteWaiting,
} from './delivery.store.ts';
import type { QueueService } from './queue.service.ts';
import { type Failure, isAwaited, MASK, type Occasion } from './sender.ts';
import { mergeTeamUpdates, type TeamUpdate } from './team-update.ts';

export interface NewDelivery {
  readonly applicationId: string;
  readonly teamId: string | null;
  readonly kind: DeliveryRow['kind'];
  /** Where it goes first. Later attempts go to the address that the application has by then. */
  readonly url: string;
  /** Everything but the client secret, which is put in when it is sent. */
  readonly body: object;
}

/** The longest that a notice waits, with its retries and the pauses of its application. */
export const NOTICE_LIFETIME_MS = 48 * 3600 * 1000;

export type CallbackService = ReturnType<typeof callbackService>;

export function callbackService(deps: {
  db: Database;
  clock: Clock;
  applications: ApplicationService;
  queues: QueueService;
  send: (delivery: DeliveryRow, occasion: Occasion) => Promise<Failure>;
  calls: CallsInTurn;
  wakeWorker: () => void;
  /** How long a notice waits for an application that sleeps: as long as events are kept. */
  keptMs: number;
}) {
  const { db, clock, applications, queues, send, calls, wakeWorker, keptMs } = deps;

  interface Plan {
    readonly dueAt: number;
    readonly leaseUntil?: number;
    readonly numFailures?: number;
  }

  async function insert(tx: Tx, delivery: NewDelivery, plan: Plan): Promise<DeliveryRow> {
    const now = clock();
    const row: DeliveryRow = {
      id: newId(),
      application_id: delivery.applicationId,
      team_id: delivery.teamId,
      kind: delivery.kind,
      url: delivery.url,
      body_json: JSON.stringify(delivery.body),
      status: 'pending',
      num_attempts: 0,
      num_failures: plan.numFailures ?? 0,
      next_attempt_at: plan.dueAt,
      lease_until: plan.leaseUntil ?? 0,
      created_at: now,
      updated_at: now,
      subscription_id: null,
    };
    await insertDelivery.run(tx, row);
    return row;
  }

  /** Makes a delivery that the worker carries out once this transaction is durable, and retries. */
  async function enqueue(tx: Tx, delivery: NewDelivery): Promise<void> {
    await queues.open(tx, delivery.applicationId);
    await insert(tx, delivery, { dueAt: clock() });
    tx.afterCommit(wakeWorker);
  }

  /**
   * Notifies an application of a change in a team. The change joins the call that waits, if one does, so that at most
   * one waits for each team. A call that was tried is replaced by a new one, because its receiver may know its id.
   */
  async function enqueueTeamUpdate(
    tx: Tx,
    delivery: NewDelivery & { readonly teamId: string; readonly body: TeamUpdate },
  ): Promise<void> {
    const { applicationId, teamId } = delivery;
    const now = clock();
    const waiting = await lockWaiting.first(tx, { kind: 'team_update', applicationId, teamId, now });
    if (!waiting?.next_attempt_at) return enqueue(tx, { ...delivery, kind: 'team_update' });
    const body = mergeTeamUpdates(JSON.parse(waiting.body_json) as Partial<TeamUpdate>, delivery.body);
    const { id, num_attempts, num_failures, next_attempt_at } = waiting;
    if (num_attempts === 0) {
      const body_json = JSON.stringify(body);
      await rewriteWaiting.run(tx, { id, body_json, num_failures, next_attempt_at, updated_at: now });
      return;
    }
    await insert(tx, { ...delivery, body }, { dueAt: next_attempt_at, numFailures: num_failures });
    await markReplaced.run(tx, { id, now });
  }

  type Kind = DeliveryRow['kind'];
  type OfTeam = { readonly application_id: string; readonly team_id: string };

  /** Fails the calls about a team that wait for an application. */
  async function giveUp(tx: Tx, kind: Kind, { application_id: applicationId, team_id: teamId }: OfTeam) {
    await giveUpCalls.run(tx, { kind, applicationId, teamId, now: clock() });
  }

  /** Makes none of these calls before a time. */
  async function defer(tx: Tx, kind: Kind, of: OfTeam, until: number) {
    const { application_id: applicationId, team_id: teamId } = of;
    await deferCalls.run(tx, { kind, applicationId, teamId, until });
  }

  /** Whether a call about the team is under way to the application, from any node. */
  const isNotifying = async (reader: Reader, applicationId: string, teamId: string) =>
    (await findUnderWay.first(reader, { applicationId, teamId, now: clock() })) !== undefined;

  /**
   * Makes a delivery that the caller sends itself, once the transaction is over; the worker ends it once its lease is
   * over.
   */
  function prepare(tx: Tx, delivery: NewDelivery): Promise<DeliveryRow> {
    const now = clock();
    return insert(tx, delivery, { dueAt: now, leaseUntil: now + LEASE_MS });
  }

  const sendNow = (delivery: DeliveryRow) => send(delivery, 'first');

  /** Sends a signed sample of the install callback, so that a developer can test without a team. */
  async function sendSample(userId: string, applicationId: string, body: object): Promise<Delivery> {
    return calls.run(userId, userId, async () => {
      const delivery = await db.write(async (tx) => {
        const application = await lockCallable(tx, userId, applicationId);
        refusePublic(application);
        const { id, preinstall_url: url } = application;
        if (url === '') throw new Conflict('no_preinstall_url', 'The application has no pre-install address');
        return prepare(tx, { applicationId: id, teamId: null, kind: 'test', url, body });
      });
      await sendNow(delivery);
      return present(delivery.id);
    });
  }

  /**
   * When the turn of a call has come: the application may be somebody else's by then, and carry a new secret.
   * Installing waits for this transaction, or this one for it.
   */
  async function lockCallable(tx: Tx, userId: string, applicationId: string): Promise<ApplicationRow> {
    const application = await applications.lockOwn(tx, userId, applicationId);
    refuseSuspended(application);
    return application;
  }

  /** The owner sees all of them; an admin those of the teams they administer. @throws NotFound for anybody else */
  async function visibleTeams(userId: string, applicationId: string): Promise<readonly string[] | undefined> {
    const application = await lookUp(applicationId, (id) => findAnyApplication.first(db, { id }));
    if (application.owner_id === userId) return undefined;
    const teams = await administeredTeams.all(db, { userId, applicationId: application.id });
    if (teams.length === 0) throw new NotFound();
    return teams.map((row) => row.team_id);
  }

  /** @throws NotFound for a team whose deliveries the user may not see */
  async function list(
    userId: string,
    applicationId: string,
    { team, subscription }: { team?: string; subscription?: string },
    page: Page,
  ) {
    const of = subscription === undefined ? undefined : parseId(subscription);
    if (subscription !== undefined && of === undefined) return { deliveries: [], next: null };
    const visible = await visibleTeams(userId, applicationId);
    const teams = team === undefined ? visible : [oneOf(visible, team)];
    const { rows, next } = await listPageById(page, (bounds) =>
      listDeliveries(db, applicationId.toLowerCase(), { teams, subscription: of }, bounds),
    );
    return { deliveries: rows.map((row) => presentDelivery(row, [])), next };
  }

  function oneOf(visible: readonly string[] | undefined, team: string): string {
    const id = parseId(team);
    if (!id || (visible && !visible.includes(id))) throw new NotFound();
    return id;
  }

  async function access(userId: string, applicationId: string, id: string): Promise<DeliveryRow> {
    const teams = await visibleTeams(userId, applicationId);
    const row = await mustFind(db, applicationId, id);
    if (teams && !(row.team_id && teams.includes(row.team_id))) throw new NotFound();
    return row;
  }

  async function mustFind(reader: Reader, applicationId: string, id: string): Promise<DeliveryRow> {
    const row = await lookUp(id, (known) => findDelivery.first(reader, { id: known }));
    if (row.application_id !== applicationId.toLowerCase()) throw new NotFound();
    return row;
  }

  async function get(userId: string, applicationId: string, id: string): Promise<Delivery> {
    const row = await access(userId, applicationId, id);
    const shown = await present(row.id);
    const toldFrom = await ownersFrom(userId, row);
    return shown.attempts.every(({ started_at }) => started_at >= toldFrom)
      ? shown
      : redacted(shown, toldFrom);
  }

  /** From when on what was told is for the eyes of a user: since they own the application, and the team knows that. */
  async function ownersFrom(userId: string, row: DeliveryRow): Promise<number> {
    const { application_id: applicationId, team_id: teamId } = row;
    const application = await findAnyApplication.first(db, { id: applicationId });
    if (application?.owner_id !== userId || application.awaits_owner_since !== null) return Infinity;
    const live = teamId !== null && (await findLiveInstallation.first(db, { applicationId, teamId }));
    return live && live.asleep_since !== null ? Infinity : timestamp(application.woken_at);
  }

  /**
   * Sends the same call with a new signature, as one more attempt. A failure cancels none of the planned ones.
   */
  async function redeliver(userId: string, applicationId: string, id: string): Promise<Delivery> {
    return calls.run(userId, userId, async () => {
      const claimed = await db.write(async (tx) => {
        const application = await lockCallable(tx, userId, applicationId);
        return claimByHand(tx, await mustFind(tx, application.id, id));
      });
      await send(claimed, 'by_hand');
      return present(claimed.id);
    });
  }

  /** @throws Conflict when it is under way, or its content is no longer true */
  async function claimByHand(tx: Tx, row: DeliveryRow): Promise<DeliveryRow> {
    const { id, application_id: applicationId, team_id: teamId, kind } = row;
    if (teamId !== null) {
      const live = await findLiveInstallation.first(tx, { applicationId, teamId });
      if (live && (kind === 'uninstall' || isOfAnother(row, live)))
        throw new Conflict('installed_again', 'The team has installed the application again since');
      if (live?.asleep_since)
        throw new NotAllowed('application_unconfirmed', 'The team has not agreed to its new owner yet');
      if (kind !== 'uninstall' && !live)
        throw new Conflict('uninstalled', 'The team does not have the application');
    }
    if (kind === 'events')
      throw new Conflict('events', 'Have the subscription replay the range in which the events are');
    if (row.status === 'replaced')
      throw new Conflict('replaced', 'A later call tells the same: send that one');
    const now = clock();
    const claimed = await claimOne.first(tx, { id, now, leaseUntil: now + LEASE_MS });
    if (!claimed) throw new Conflict('being_sent', 'It is being sent just now: try again in some seconds');
    return claimed;
  }

  async function present(id: string): Promise<Delivery> {
    const [row, attempts] = await Promise.all([
      findDelivery.first(db, { id }),
      listAttempts.all(db, { deliveryId: id }),
    ]);
    if (!row) throw new NotFound();
    return presentDelivery(row, attempts);
  }

  /** Fails the calls that have waited too long for an application that does not answer. */
  const giveUpOld = cleaning(db, failOlder, () => {
    const now = clock();
    return { before: now - NOTICE_LIFETIME_MS, heldBefore: now - Math.max(keptMs, NOTICE_LIFETIME_MS), now };
  });

  /** What waited for an application, or for one of its teams, is sent. */
  async function onWake(tx: Tx): Promise<void> {
    tx.afterCommit(wakeWorker);
  }

  /** The embedded database has one server: at its start, no call can be under way. */
  async function recoverAtStart(): Promise<void> {
    if (db.dialect === 'sqlite') await db.write((tx) => endLeases.run(tx, {}));
  }

  return {
    recoverAtStart,
    enqueue,
    enqueueTeamUpdate,
    giveUp,
    defer,
    giveUpOld,
    isNotifying,
    onWake,
    prepare,
    sendNow,
    sendSample,
    list,
    get,
    redeliver,
  };
}

/** Whether a call is about an earlier installation than the one that is there. */
function isOfAnother({ body_json }: DeliveryRow, live: { id: string }): boolean {
  const { installation } = JSON.parse(body_json) as { installation?: { id: string } };
  return installation !== undefined && installation.id !== live.id;
}

/**
 * A team's admins see that a call was made and how it went, and a new owner of those before. Its address, headers and
 * bodies are between the server and who owned the application then: they may hold a key, and tell of a machine that the
 * admin could not ask, and of people whose team did not agree to the new owner.
 * @param until attempts before it are
 */
function redacted(delivery: Delivery, until: number): Delivery {
  const attempts = delivery.attempts.map((whole) => {
    const { request, response, ...attempt } = whole;
    if (attempt.started_at >= until) return whole;
    return {
      ...attempt,
      request: { ...request, url: `${new URL(request.url).origin}/…`, headers: {}, body: '' },
      response: response && { status: response.status, headers: {}, body: '' },
    };
  });
  return { ...delivery, attempts, redacted: true };
}

function presentDelivery(row: DeliveryRow, attempts: DeliveryAttemptRow[]): Delivery {
  const told = JSON.parse(row.body_json) as object;
  const body = JSON.stringify(row.kind === 'events' ? told : { ...told, client_secret: MASK });
  const next = isAwaited(row) ? null : row.next_attempt_at;
  return {
    id: row.id,
    application: row.application_id,
    team: row.team_id,
    subscription: row.subscription_id,
    kind: row.kind,
    status: row.status,
    num_attempts: row.num_attempts,
    next_attempt_at: next === null ? null : timestamp(next),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    attempts: attempts.map((attempt) => presentAttempt(attempt, body)),
  };
}

function presentAttempt(attempt: DeliveryAttemptRow, body: string): Delivery['attempts'][number] {
  const headersOf = (json: string | null) => JSON.parse(json ?? '{}') as Record<string, string>;
  return {
    number: attempt.number,
    started_at: timestamp(attempt.started_at),
    duration: attempt.duration_ms / 1000,
    request: {
      method: 'POST',
      url: attempt.url,
      headers: headersOf(attempt.request_headers_json),
      body,
    },
    response:
      attempt.status === null
        ? null
        : {
            status: attempt.status,
            headers: headersOf(attempt.response_headers_json),
            body: attempt.response_body ?? '',
          },
    reason: attempt.reason,
  };
}
