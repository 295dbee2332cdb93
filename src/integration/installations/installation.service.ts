import {
  attribute,
  type CallbackFailure,
  CallbackRefused,
  type CallsInTurn,
  Conflict,
  InvalidFields,
  lookUp,
  NotAuthorized,
  NotFound,
  type Origin,
  Stopping,
} from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newId, parseId } from '#platform/ids.ts';
import { type KeepLease, LEASE_MS } from '#platform/jobs/index.ts';
import { pause } from '#platform/pause.ts';
import type { ApplicationRow, InstallationRow } from '#schema';
import { lockActiveUser } from '../../people/users/index.ts';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { ADMIN, accessTeamAsAdmin, lockMembership, presentTeam, type TeamChange } from '../../teams/index.ts';
import {
  type ApplicationFact,
  type ApplicationService,
  type DecidedLinks,
  decidedLinks,
  findAnyApplication,
  isBelow,
  linkPrefixesOf,
  type Progress,
  refuseSuspended,
  scopesOf,
  shareApplication,
} from '../applications/index.ts';
import type { CallbackService } from '../callbacks/index.ts';
import { bareTeam, calledTeam, type installBody } from './install-body.ts';
import { isOpenTo } from './installable.ts';
import type { Decision, Installation } from './installation.schema.ts';
import {
  countCall,
  failInterrupted,
  findActive,
  findLive,
  insertPending,
  listLiveOfTeam,
  listPending,
  lockActive,
  lockToDecide,
  markRemoved,
  pageOfLive,
  putToSleep,
  renewPending,
  setScopes,
  settlePending,
} from './installation.store.ts';
import { type InstallationViews, mustFind } from './installation.views.ts';
import { declinedOf, withDecision } from './scope-history.ts';

/** How long an installation waits for a call about its predecessor, and how often it polls. */
const MAX_WAIT_MS = 10_000;
const LOOK_MS = 100;
/** The reason of an installation that was accepted, but whose server, team, application or installer was gone. */
const INTERRUPTED = 'interrupted';

/** Runs in the transaction that creates an installation or changes its state; joined in src/app. */
export type InstallationListener = (
  tx: Tx,
  of: Pick<InstallationRow, 'id' | 'team_id' | 'application_id'> & {
    readonly change: 'begun' | 'installed' | 'failed' | 'scopes' | 'standing' | 'removed';
    /** Whether links that it heard of may have been taken away. */
    readonly linksTaken?: boolean;
  },
) => Promise<void>;

/** The request of an admin. */
interface Wanted {
  readonly application: string;
  /** The scopes that the admin saw and granted; all requested ones if omitted. */
  readonly scopes?: readonly string[];
  /** Likewise the beginnings of links. */
  readonly link_prefixes?: readonly string[];
}

/** The decision of an admin. */
interface Grant {
  readonly application: string;
  readonly scopes: readonly string[];
  readonly declined?: readonly string[];
  readonly link_prefixes?: readonly string[];
  readonly declined_link_prefixes?: readonly string[];
  readonly owner?: string;
}

/** Installations that end in one transaction: each is twenty statements. */
const ENDED_AT_ONCE = 20;
/** Teams that are told in one transaction. */
const TOLD_AT_ONCE = 50;

export type InstallationService = ReturnType<typeof installationService>;

export function installationService(deps: {
  db: Database;
  clock: Clock;
  applications: ApplicationService;
  progress: Progress;
  callbacks: CallbackService;
  calls: CallsInTurn;
  views: InstallationViews;
  bodies: ReturnType<typeof installBody>;
  keepLease: KeepLease;
  callbackTimeoutMs: number;
  /** Ends every token that was issued for the application on the team. */
  revokeTokens: (tx: Tx, applicationId: string, teamId: string) => Promise<void>;
  onChange: InstallationListener;
  /** What waited for an installation that slept is sent. */
  onWake: (tx: Tx) => Promise<void>;
  record: Recorder;
  /** Has what is too much for this transaction done after it, in portions. */
  later: (tx: Tx, kind: 'uninstallation' | 'standing', applicationId: string) => Promise<void>;
}) {
  const {
    db,
    clock,
    applications,
    progress,
    callbacks,
    calls,
    views,
    bodies,
    keepLease,
    callbackTimeoutMs,
    revokeTokens,
    onChange,
    onWake,
    record,
    later,
  } = deps;

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
      await recordChange(tx, 'application.installed', settled, { scopes: scopesOf({ scopes_json }) });
      await progress.note(tx, settled.application_id, 'installed');
    }
    return settled ? reason : INTERRUPTED;
  }

  const recordChange = (
    tx: Tx,
    action: 'application.installed' | 'application.uninstalled',
    row: Pick<InstallationRow, 'application_id' | 'team_id'>,
    detail: { scopes?: readonly string[] } = {},
  ) => record(tx, { action, target: ['application', row.application_id], teamId: row.team_id, detail });

  /**
   * Calls about an earlier installation must not arrive after the new one. Pending ones are cancelled, and one in
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
    await callbacks.giveUp(tx, 'uninstall', of);
    await callbacks.giveUp(tx, 'team_update', of);
    if (await callbacks.isNotifying(tx, application.id, team.id)) return undefined;
    const id = newId();
    const pendingUntil = now + LEASE_MS;
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

  /**
   * Sets the scopes of its tokens for this team, and which of those it asks for are declined: these are asked for no
   * more, until they are granted after all. An application that sleeps here because it is in other hands wakes.
   * @throws InvalidFields for scopes that the application does not request
   * @throws Conflict where `owner` is not the one that the admin was shown
   */
  async function grant(tx: Tx, userId: string, teamId: string, given: Grant): Promise<Installation> {
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    const application = await lookUp(given.application, (id) => shareApplication.first(tx, { id }));
    if (given.owner !== undefined && given.owner.toLowerCase() !== application.owner_id)
      throw new Conflict('other_owner', 'The application has another owner by now');
    const found = await findActive.first(tx, { applicationId: application.id, teamId: team.id });
    const row = found && (await lockToDecide.first(tx, { id: found.id }));
    if (!row) throw new NotFound();
    const { scopes } = given;
    const asked = scopesOf(application);
    refuseUnknown((scope) => asked.includes(scope), { scopes, declined: given.declined ?? [] });
    const links = decideLinks(application, row, given);
    const declined = given.declined ?? declinedOf(row).filter((scope) => !scopes.includes(scope));
    const at = clock();
    const changed = {
      ...row,
      scopes_json: JSON.stringify(scopes),
      declined_json: JSON.stringify(declined),
      scope_history_json: withDecision(row, { at, by: userId, scopes: [...scopes], declined: [...declined] }),
      link_prefixes_json: JSON.stringify(links),
      asleep_since: null,
      woken_at: row.asleep_since === null ? row.woken_at : at,
      updated_at: at,
    };
    if (!(await setScopes.first(tx, changed))) throw new NotFound();
    await onChange(tx, { ...row, change: 'scopes', linksTaken: given.link_prefixes !== undefined });
    await record(tx, {
      action: 'application.scopes_granted',
      target: ['application', application.id],
      teamId: team.id,
      detail: {
        scopes,
        ...differenceOf(scopesOf(row), scopes),
        declined,
        ...(given.link_prefixes && { links: given.link_prefixes }),
        ...(row.asleep_since !== null && { confirmed_owner: application.owner_id }),
      },
    });
    if (row.asleep_since !== null) await onWake(tx);
    return views.presentInstallation(tx, changed);
  }

  /** The decisions of admins about an application that is installed, the newest first. @throws NotFound */
  async function decisions(userId: string, teamId: string, applicationId: string): Promise<Decision[]> {
    const team = await accessTeamAsAdmin(db, userId, teamId);
    const row = await lookUp(applicationId, (id) =>
      findActive.first(db, { applicationId: id, teamId: team.id }),
    );
    return views.presentDecisions(row);
  }

  async function uninstall(tx: Tx, userId: string, teamId: string, applicationId: string): Promise<void> {
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    const row = await lookUp(applicationId, (id) =>
      findActive.first(tx, { applicationId: id, teamId: team.id }),
    );
    await end(tx, row, calledTeam(presentTeam(team)));
  }

  const numbered = async (tx: Tx, id: string) => ({
    id,
    sequence: (await countCall.first(tx, { id }))?.num_calls ?? 0,
  });

  /** Revokes the tokens first; the application is notified after the commit. A pending installation fails. */
  async function end(tx: Tx, row: InstallationRow, team: object): Promise<void> {
    const now = clock();
    const failed = { id: row.id, status: 'failed', reason: INTERRUPTED, updated_at: now } as const;
    if (await settlePending.first(tx, failed)) return onChange(tx, { ...row, change: 'failed' });
    if (!(await markRemoved.first(tx, { id: row.id, now }))) return;
    await onChange(tx, { ...row, change: 'removed' });
    await recordChange(tx, 'application.uninstalled', row);
    await revokeTokens(tx, row.application_id, row.team_id);
    // The application no longer learns about the team's members.
    await callbacks.giveUp(tx, 'team_update', row);
    await tellUninstalled(tx, row, team);
  }

  async function tellUninstalled(tx: Tx, row: InstallationRow, team: object): Promise<void> {
    // It may be deleted by now.
    const application = await findAnyApplication.first(tx, { id: row.application_id });
    if (!application?.uninstall_url) return;
    await callbacks.enqueue(tx, {
      applicationId: row.application_id,
      teamId: row.team_id,
      kind: 'uninstall',
      url: application.uninstall_url,
      body: { type: 'uninstall', team, installation: await numbered(tx, row.id) },
    });
  }

  /** Notifies or uninstalls a team's applications after a change of the team. */
  async function onTeamChange(tx: Tx, change: TeamChange): Promise<void> {
    if (change.kind === 'changed' || change.kind === 'restored') return;
    for (const row of await listLiveOfTeam.all(tx, { teamId: change.teamId })) {
      if (!('userId' in change)) await end(tx, row, bareTeam(change.teamId));
      else if (row.status === 'active') await tellMemberChange(tx, row, change);
    }
  }

  async function tellMemberChange(
    tx: Tx,
    row: InstallationRow,
    change: TeamChange & { teamId: string; userId: string },
  ): Promise<void> {
    const application = await applications.byId(tx, row.application_id);
    if (!application?.team_update_url) return;
    const member = await bodies.changedMember(tx, change);
    await callbacks.enqueueTeamUpdate(tx, {
      applicationId: row.application_id,
      teamId: row.team_id,
      kind: 'team_update',
      url: application.team_update_url,
      body: {
        type: 'team_update',
        ...member,
        team: bareTeam(change.teamId),
        changes: [member],
        incomplete: false,
        installation: await numbered(tx, row.id),
      },
    });
  }

  /** Of one that many teams have, the rights end at once; the teams lose it in portions ({@link endSome}). */
  async function onApplicationDelete(tx: Tx, { application }: ApplicationFact): Promise<void> {
    const { id: applicationId } = application;
    const page = await pageOfLive.all(tx, { applicationId, after: LOWEST_ID, limit: ENDED_AT_ONCE + 1 });
    if (page.length <= ENDED_AT_ONCE) return endAll(tx, page);
    await failPending(tx, applicationId);
    await putToSleep.all(tx, { applicationId, now: clock() });
    await later(tx, 'uninstallation', applicationId);
  }

  async function endAll(tx: Tx, rows: readonly InstallationRow[]): Promise<void> {
    for (const row of rows) await end(tx, row, bareTeam(row.team_id));
  }

  /** Uninstalls a deleted application from a few teams. @returns the last installation, while there are more */
  async function endSome(tx: Tx, applicationId: string, after: string): Promise<string | undefined> {
    const page = await pageOfLive.all(tx, { applicationId, after, limit: ENDED_AT_ONCE });
    await endAll(tx, page);
    return page.length < ENDED_AT_ONCE ? undefined : page.at(-1)?.id;
  }

  /** Installations that are under way: their calls would carry a secret that is dead. */
  async function failPending(tx: Tx, applicationId: string): Promise<void> {
    for (const row of await listPending.all(tx, { applicationId })) {
      const failed = { id: row.id, status: 'failed', reason: INTERRUPTED, updated_at: clock() } as const;
      if (await settlePending.first(tx, failed)) await onChange(tx, { ...row, change: 'failed' });
    }
  }

  /** Puts what teams have granted to sleep, until an admin of each has agreed to the new hands. */
  async function onHandsChange(tx: Tx, { application }: ApplicationFact): Promise<void> {
    await failPending(tx, application.id);
    const { id: applicationId, owner_id: owner, awaits_owner_why: why } = application;
    const teams = await putToSleep.all(tx, { applicationId, now: clock() });
    await record(
      tx,
      teams.map(({ team_id: teamId }) => ({
        action: 'application.suspended',
        target: ['application', applicationId],
        teamId,
        detail: { why: why ?? 'operator', owner },
      })),
    );
    await onStandingChange(tx, { application });
  }

  /** The pages of its teams show whether an application sleeps. Many teams are told in portions ({@link tellSome}). */
  async function onStandingChange(
    tx: Tx,
    { application }: Pick<ApplicationFact, 'application'>,
  ): Promise<void> {
    const { id: applicationId } = application;
    const page = await pageOfLive.all(tx, { applicationId, after: LOWEST_ID, limit: TOLD_AT_ONCE + 1 });
    if (page.length > TOLD_AT_ONCE) return later(tx, 'standing', applicationId);
    await tellStanding(tx, page);
  }

  async function tellStanding(tx: Tx, rows: readonly InstallationRow[]): Promise<void> {
    for (const row of rows) await onChange(tx, { ...row, change: 'standing' });
  }

  /** Tells a few teams whether an application sleeps. @returns the last installation, while there are more */
  async function tellSome(tx: Tx, applicationId: string, after: string): Promise<string | undefined> {
    const page = await pageOfLive.all(tx, { applicationId, after, limit: TOLD_AT_ONCE });
    await tellStanding(tx, page);
    return page.length < TOLD_AT_ONCE ? undefined : page.at(-1)?.id;
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

  const active = (reader: Reader, applicationId: string, teamId: string) =>
    findActive.first(reader, { applicationId, teamId });

  /** Like `active`, and locks the installation until the transaction ends. */
  const lock = (tx: Tx, applicationId: string, teamId: string) =>
    lockActive.first(tx, { applicationId, teamId });

  return {
    install,
    grant,
    decisions,
    uninstall,
    onTeamChange,
    onApplicationDelete,
    onHandsChange,
    onStandingChange,
    endSome,
    tellSome,
    recover,
    recoverAtStart,
    active,
    lock,
  };
}

/** Without `link_prefixes`, as it was. @throws InvalidFields as `refuseUnknown` does */
function decideLinks(
  application: ApplicationRow,
  row: InstallationRow,
  { link_prefixes: links, declined_link_prefixes: given }: Grant,
): DecidedLinks {
  const before = decidedLinks(row);
  const granted = links ?? before.granted;
  const asked = linkPrefixesOf(application);
  refuseUnknown(
    (prefix) => asked.some((one) => isBelow(prefix, one)),
    { scopes: links ?? [], declined: given ?? [] },
    { scopes: 'link_prefixes', declined: 'declined_link_prefixes' },
  );
  const declined = given ?? before.declined;
  return { granted, declined: declined.filter((one) => !granted.includes(one)) };
}

/** @throws InvalidFields for what is not asked for, and for what is granted and declined at once */
function refuseUnknown(
  isAsked: (one: string) => boolean,
  { scopes, declined }: { scopes: readonly string[]; declined: readonly string[] },
  fields = { scopes: 'scopes', declined: 'declined' },
): void {
  const unknown = (field: string, list: readonly string[]) =>
    list.flatMap((scope, index) =>
      isAsked(scope)
        ? []
        : [{ field: `${field}.${index}`, message: 'is not asked for by the application any more' }],
    );
  const both = declined.flatMap((scope, index) =>
    scopes.includes(scope)
      ? [{ field: `${fields.declined}.${index}`, message: 'is granted by the same request' }]
      : [],
  );
  const problems = [...unknown(fields.scopes, scopes), ...unknown(fields.declined, declined), ...both];
  if (problems.length > 0) throw new InvalidFields(problems);
}

const differenceOf = (before: readonly string[], after: readonly string[]) => ({
  added: after.filter((scope) => !before.includes(scope)),
  removed: before.filter((scope) => !after.includes(scope)),
});
