import { examine } from '../../ops/doctor/doctor.ts';
import { queueStates } from '../app/queues.ts';
import { judgeBackups, latest, latestAt, readSchedule } from '../stewardship/backups/index.ts';
import { BEHIND_S, describeQueues, MOST_DEVIATION_MS, proofOf } from '../stewardship/operations/index.ts';

export const examineServer = (options: { json?: boolean }) =>
  examine(options, {
    backups: { readSchedule, latestAt, latest, judge: judgeBackups },
    mostDeviationMs: MOST_DEVIATION_MS,
    proofOf,
    describeQueues: (reader) => describeQueues(reader, Date.now(), queueStates),
    behindAfterSeconds: BEHIND_S,
  });
