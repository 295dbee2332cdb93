import { examine } from '../../ops/doctor/doctor.ts';
import { judgeBackups, latest, latestAt, readSchedule } from '../stewardship/backups/index.ts';
import { MOST_DEVIATION_MS, proofOf } from '../stewardship/operations/index.ts';

export const examineServer = (options: { json?: boolean }) =>
  examine(options, {
    backups: { readSchedule, latestAt, latest, judge: judgeBackups },
    mostDeviationMs: MOST_DEVIATION_MS,
    proofOf,
  });
