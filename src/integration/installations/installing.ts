import {
  attribute,
  type CallbackFailure,
  CallbackRefused,
  type CallsInTurn,
  Conflict,
  lookUp,
  NotAuthorized,
  NotFound,
  type Origin,
  Stopping,
} from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import { type KeepLease, LEASE_MS } from '#platform/jobs/index.ts';
import { pause } from '#platform/pause.ts';
import type { ApplicationRow, InstallationRow } from '#schema';
import { lockActiveUser } from '../../people/users/index.ts';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { ADMIN, accessTeamAsAdmin, lockMembership, presentTeam } from '../../teams/index.ts';
import {
  type DecidedLinks,
  findAnyApplication,
  linkPrefixesOf,
  type Progress,
  refuseSuspended,
  scopesOf,
  shareApplication,
} from '../applications/index.ts';
import type { CallbackService } from '../callbacks/index.ts';
import type { installBody } from './install-body.ts';
import { isOpenTo } from './installable.ts';
import { INTERRUPTED, type InstallationListener, numbered } from './installation.changes.ts';
import type { Installation } from './installation.schema.ts';
import {
  failInterrupted,
  findLive,
  insertPending,
  renewPending,
  settlePending,
} from './installation.store.ts';
import { type InstallationViews, mustFind } from './installation.views.ts';

/** How long an installation waits for a call about its predecessor, and how often it polls. */
const MAX_WAIT_MS = 10_000;
const LOOK_MS = 100;

/** The request of an admin. */
interface Wanted {
  readonly application: string;
  /** The scopes that the admin saw and granted; all requested ones if omitted. */
  readonly scopes?: readonly string[];
  /** Likewise the beginnings of links. */
  readonly link_prefixes?: readonly string[];
}

/** Brings an application to a team: by a call that the application answers, where it has an address for that. */
export function installing(deps: {
  db: Database;
  clock: Clock;
  progress: Progress;
  callbacks: CallbackService;
  calls: CallsInTurn;
  views: InstallationViews;
  bodies: ReturnType<typeof installBody>;
  keepLease: KeepLease;
  callbackTimeoutMs: number;
  onChange: InstallationListener;
  record: Recorder;
}) {
  const { db, clock, progress, callbacks, calls, views, bodies, keepLease, callbackTimeoutMs } = deps;
  const { onChange, record } = deps;

  /**
   * Calls the application's pre-install address first; it is installed only when that answers exactly 200. Without one, it
   * is installed at once.
   * Installing twice answers the installation that is there.
   * @throws CallbackRefused when the application refused, failed, or could not be reached
   */
  async function install(
    userId: string,
    teamId: string,
    wanted: Wanted,
    origin: Origin,
  ): Promise<Installation> {
    const id = parseId(wanted.application);
    // One that is unknown is refused in turn.
    const application = id === undefined ? undefined : await findAnyApplication.first(db, { id });
    return calls.run(userId, application?.owner_id, () => installInTurn(userId, teamId, wanted, origin));
  }

  async function installInTurn(
    userId: string,
    teamId: string,
    wanted: Wanted,
    origin: Origin,
  ): Promise<Installation> {
    const begun = await beginWhenNotified(userId, teamId, wanted);
    if ('done' in begun) return views.presentInstallation(db, begun.done);
    const { id, delivery, pendingUntil } = begun;
    const lease = keepLease(pendingUntil, (tx, to) => renewPending.first(tx, { id, ...to }));
    const failure = await callbacks.sendNow(delivery).finally(lease.end);
    const reason = await db.write((tx) => {
      attribute(tx, origin);
      return settle(tx, id, failure);
    });
    if (reason !== undefined) throw new CallbackRefused(reason);
    return views.presentInstallation(db, await mustFind(db, id));
  }

  /** @returns why it failed. The team, the application or the installer may have been removed meanwhile. */
  async function settle(
    tx: Tx,
    id: string,
    failure: CallbackFailure | undefined,
  ): Promise<CallbackFailure | undefined> {
    const { team_id: teamId, installed_by: userId, scopes_json } = await mustFind(tx, id);
    const account = await lockActiveUser.first(tx, { id: userId });
    const installer = await lockMembership.first(tx, { teamId, userId });
    const isAdmin = account && installer?.membership_type === ADMIN;
    const reason = failure ?? (isAdmin ? undefined : INTERRUPTED);
    const status = reason === undefined ? 'active' : 'failed';
    const settled = await settlePending.first(tx, {
      id,
      status,
      reason: reason ?? null,
      updated_at: clock(),
    });
    const change = status === 'active' ? 'installed' : 'failed';
    if (settled) await onChange(tx, { id, ...settled, change });
    if (settled && reason === undefined) {
      await callbacks.giveUp(tx, 'uninstall', settled);
      await record(tx, {
        action: 'application.installed',
        target: ['application', settled.application_id],
        teamId: settled.team_id,
        detail: { scopes: scopesOf({ scopes_json }) },
      });
      await progress.note(tx, settled.application_id, 'installed');
    }
    return settled ? reason : INTERRUPTED;
  }

  /**
   * Calls about an earlier installation must not arrive after the new one. Pending ones wait for its outcome, and one in
   * progress, on any node, is waited for.
   */
  async function beginWhenNotified(userId: string, teamId: string, wanted: Wanted) {
    const deadline = performance.now() + Math.min(callbackTimeoutMs, MAX_WAIT_MS);
    for (;;) {
      const begun = await db.write((tx) => begin(tx, userId, teamId, wanted));
      if (begun) return begun;
      if (performance.now() > deadline)
        throw new Conflict(
          'uninstalling',
          'The application is still being told that it was uninstalled: try again in a minute',
        );
      if (calls.stopping.aborted) throw new Stopping();
      await pause(LOOK_MS, calls.stopping);
    }
  }

  /** @returns undefined while a call about an earlier installation is in progress */
  async function begin(tx: Tx, userId: string, teamId: string, wanted: Wanted) {
    // It may have waited for its turn.
    if (!(await lockActiveUser.first(tx, { id: userId }))) throw new NotAuthorized();
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    const application = await lockInstallable(tx, team.id, wanted.application);
    const now = clock();
    await failOld(tx, now);
    const live = await findLive.first(tx, { applicationId: application.id, teamId: team.id });
    if (live) return finished(live);
    const of = { application_id: application.id, team_id: team.id };
    const pendingUntil = now + LEASE_MS;
    // If this installation fails, the application still has to hear of the end of the one before.
    await callbacks.defer(tx, 'uninstall', of, pendingUntil + callbackTimeoutMs);
    await callbacks.giveUp(tx, 'team_update', of);
    if (await callbacks.isNotifying(tx, application.id, team.id)) return undefined;
    const id = newId();
    const scopes = scopesOf(application).filter((scope) => wanted.scopes?.includes(scope) ?? true);
    const links = linkPrefixesOf(application).filter((one) => wanted.link_prefixes?.includes(one) ?? true);
    const made = await insertPending.first(tx, {
      id,
      application_id: application.id,
      team_id: team.id,
      scopes_json: JSON.stringify(scopes),
      scope_history_json: JSON.stringify([{ at: now, by: userId, scopes, declined: [] }]),
      link_prefixes_json: JSON.stringify({ granted: links, declined: [] } satisfies DecidedLinks),
      installed_by: userId,
      created_at: now,
      pending_until: pendingUntil,
    });
    if (!made) throw new Conflict('installing', 'The application is being installed just now');
    await onChange(tx, { id, ...of, change: 'begun' });
    if (application.preinstall_url === '') {
      await settle(tx, id, undefined);
      return finished(await mustFind(tx, id));
    }
    const delivery = await callbacks.prepare(tx, {
      applicationId: application.id,
      teamId: team.id,
      kind: 'install',
      url: application.preinstall_url,
      body: await bodies.ofTeam(tx, userId, presentTeam(team), await numbered(tx, id)),
    });
    return { id, delivery, pendingUntil };
  }

  function finished(live: InstallationRow): { done: InstallationRow } {
    if (live.status === 'active') return { done: live };
    throw new Conflict('installing', 'The application is being installed just now');
  }

  /** @throws NotFound for one that the team does not see @throws NotAllowed for one that sleeps */
  async function lockInstallable(tx: Tx, teamId: string, id: string): Promise<ApplicationRow> {
    const application = await lookUp(id, (known) => shareApplication.first(tx, { id: known }));
    if (!(await isOpenTo(tx, teamId, application))) throw new NotFound();
    refuseSuspended(application);
    return application;
  }

  /** Fails installations that a killed server left pending, once their lease has expired; runs regularly. */
  const recover = () => db.write((tx) => failOld(tx, clock()));

  /** @param before fails installations whose lease expires by then */
  async function failOld(tx: Tx, before: number): Promise<void> {
    for (const row of await failInterrupted.all(tx, { now: clock(), before }))
      await onChange(tx, { ...row, change: 'failed' });
  }

  /** The embedded database has a single server, so at its start nothing can be in progress. */
  const recoverAtStart = () =>
    db.dialect === 'postgres' ? recover() : db.write((tx) => failOld(tx, Number.MAX_SAFE_INTEGER));

  return { install, recover, recoverAtStart };
}
