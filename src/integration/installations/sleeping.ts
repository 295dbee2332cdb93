import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { inSteps } from '#platform/jobs/index.ts';
import type { Recorder } from '../../stewardship/audit/index.ts';
import type { ApplicationFact } from '../applications/index.ts';
import { failPending } from './ending.ts';
import type { InstallationListener } from './installation.changes.ts';
import { ofApplication, putToSleep } from './installation.store.ts';

/** Teams that are told in one transaction. */
const TOLD_AT_ONCE = 50;

/** Puts what teams have granted to sleep, and tells them whether an application sleeps. */
export function sleeping(deps: {
  clock: Clock;
  onChange: InstallationListener;
  record: Recorder;
  /** As for `ending`. */
  later: (tx: Tx, kind: 'standing', applicationId: string) => Promise<void>;
}) {
  const { clock, onChange, record, later } = deps;

  /** Puts what teams have granted to sleep, until an admin of each has agreed to the new hands. */
  async function onHandsChange(tx: Tx, { application }: ApplicationFact): Promise<void> {
    await failPending(deps, tx, application.id);
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

  /** Tells the teams of an application whether it sleeps. */
  const telling = inSteps({
    ...ofApplication,
    most: TOLD_AT_ONCE,
    async carryOut(tx, rows) {
      for (const row of rows) await onChange(tx, { ...row, change: 'standing' });
    },
  });

  /** The pages of its teams show whether an application sleeps. */
  async function onStandingChange(
    tx: Tx,
    { application }: Pick<ApplicationFact, 'application'>,
  ): Promise<void> {
    if (!(await telling.atOnce(tx, application.id))) await later(tx, 'standing', application.id);
  }

  return { onHandsChange, onStandingChange, telling };
}
