import { lookUp } from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { inSteps } from '#platform/jobs/index.ts';
import type { InstallationRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { accessTeamAsAdmin, presentTeam, type TeamChange } from '../../teams/index.ts';
import { type ApplicationFact, type ApplicationService, findAnyApplication } from '../applications/index.ts';
import type { CallbackService } from '../callbacks/index.ts';
import { bareTeam, calledTeam, type installBody } from './install-body.ts';
import { INTERRUPTED, type InstallationListener, numbered } from './installation.changes.ts';
import {
  findActive,
  listLiveOfTeam,
  listPending,
  markRemoved,
  ofApplication,
  putToSleep,
  settlePending,
} from './installation.store.ts';

/** Installations that end in one transaction: each is twenty statements. */
const ENDED_AT_ONCE = 20;

/** Takes an application from its teams, and tells it; tells it of members that come and go, too. */
export function ending(deps: {
  clock: Clock;
  applications: ApplicationService;
  callbacks: CallbackService;
  bodies: ReturnType<typeof installBody>;
  /** Ends every token that was issued for the application on the team. */
  revokeTokens: (tx: Tx, applicationId: string, teamId: string) => Promise<void>;
  onChange: InstallationListener;
  record: Recorder;
  /** Has what is too much for this transaction done after it, in portions. */
  later: (tx: Tx, kind: 'uninstallation', applicationId: string) => Promise<void>;
}) {
  const { clock, applications, callbacks, bodies, revokeTokens, onChange, record, later } = deps;

  async function uninstall(tx: Tx, userId: string, teamId: string, applicationId: string): Promise<void> {
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    const row = await lookUp(applicationId, (id) =>
      findActive.first(tx, { applicationId: id, teamId: team.id }),
    );
    await end(tx, row, calledTeam(presentTeam(team)));
  }

  /** Revokes the tokens first; the application is notified after the commit. A pending installation fails. */
  async function end(tx: Tx, row: InstallationRow, team: object): Promise<void> {
    const now = clock();
    const failed = { id: row.id, status: 'failed', reason: INTERRUPTED, updated_at: now } as const;
    if (await settlePending.first(tx, failed)) return onChange(tx, { ...row, change: 'failed' });
    if (!(await markRemoved.first(tx, { id: row.id, now }))) return;
    await onChange(tx, { ...row, change: 'removed' });
    await record(tx, {
      action: 'application.uninstalled',
      target: ['application', row.application_id],
      teamId: row.team_id,
    });
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

  /** Uninstalls a deleted application from its teams. */
  const uninstallation = inSteps({
    ...ofApplication,
    most: ENDED_AT_ONCE,
    async carryOut(tx, rows) {
      for (const row of rows) await end(tx, row, bareTeam(row.team_id));
    },
  });

  /** Of one that many teams have, the rights end at once; the teams lose it in steps. */
  async function onApplicationDelete(tx: Tx, { application }: ApplicationFact): Promise<void> {
    const { id: applicationId } = application;
    if (await uninstallation.atOnce(tx, applicationId)) return;
    await failPending(deps, tx, applicationId);
    await putToSleep.all(tx, { applicationId, now: clock() });
    await later(tx, 'uninstallation', applicationId);
  }

  return { uninstall, onTeamChange, onApplicationDelete, uninstallation };
}

/** Installations that are under way: their calls would carry a secret that is dead. */
export async function failPending(
  { clock, onChange }: { clock: Clock; onChange: InstallationListener },
  tx: Tx,
  applicationId: string,
): Promise<void> {
  for (const row of await listPending.all(tx, { applicationId })) {
    const failed = { id: row.id, status: 'failed', reason: INTERRUPTED, updated_at: clock() } as const;
    if (await settlePending.first(tx, failed)) await onChange(tx, { ...row, change: 'failed' });
  }
}
