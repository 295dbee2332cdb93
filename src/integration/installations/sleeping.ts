import type { Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID } from '#platform/ids.ts';
import type { InstallationRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import type { ApplicationFact } from '../applications/index.ts';
import { failPending } from './ending.ts';
import type { InstallationListener } from './installation.changes.ts';
import { pageOfLive, putToSleep } from './installation.store.ts';

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

  return { onHandsChange, onStandingChange, tellSome };
}
