import { timestamp } from '#api';
import type { Reader, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { ApplicationRow, ApplicationStepRow } from '#schema';
import { listSteps, noteStep } from './application.store.ts';
import { isPublic } from './client-type.ts';

/** The steps of a developer, in the order of the guide. */
export const steps = [
  'registered',
  'callback_answered',
  'installed',
  'code_exchanged',
  'token_used',
  'object_made',
  'message_posted',
] as const;
export type Step = ApplicationStepRow['step'];
/** @returns whether an application can take a step */
function mayTake(step: (typeof steps)[number], application: ApplicationRow): boolean {
  switch (step) {
    case 'callback_answered':
      return application.preinstall_url !== '';
    case 'code_exchanged':
      return application.redirect_uris_json !== '[]';
    case 'object_made':
      return application.base_url !== '' && !isPublic(application);
    default:
      return true;
  }
}

export type Progress = ReturnType<typeof applicationProgress>;

/**
 * A developer's progress with an application. Each step is recorded once, in the transaction of its cause. A process
 * remembers recorded steps, because some occur with every request.
 */
export function applicationProgress(clock: Clock) {
  const known = new Set<string>();

  const isKnown = (applicationId: string, step: Step) => known.has(`${applicationId} ${step}`);

  async function note(tx: Tx, applicationId: string, step: Step): Promise<void> {
    if (isKnown(applicationId, step)) return;
    await noteStep.run(tx, { application_id: applicationId, step, done_at: clock() });
    tx.afterCommit(() => known.add(`${applicationId} ${step}`));
  }

  async function list(reader: Reader, application: ApplicationRow) {
    const rows = await listSteps.all(reader, { applicationId: application.id });
    const times = new Map<string, number>(rows.map((row) => [row.step, row.done_at]));
    times.set('registered', application.created_at);
    const reachable = steps.filter((step) => mayTake(step, application));
    return reachable.map((step) => {
      const at = times.get(step);
      return { step, done_at: at === undefined ? null : timestamp(at) };
    });
  }

  return { isKnown, note, list };
}
