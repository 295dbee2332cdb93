import type { Reader } from '../../src/platform/db/index.ts';
import { counted } from '../../src/process/counted.ts';
import { type Finding, ok, warning } from './finding.ts';
import type { Rules } from './rules.ts';

const WHY = {
  failing: 'its last attempt failed. The log of the servers says why; it is tried again.',
  slow: 'a worker has it and is not done: what it calls, or the database, takes long.',
  backlog:
    'no worker has come to it. Does a server run? If one does, more comes in than it does: look at its load.',
} as const;

/** Which queues are behind, and why. */
export async function checkQueues(reader: Reader, rules: Rules): Promise<Finding[]> {
  const queues = Object.entries(await rules.describeQueues(reader));
  const behind = queues.flatMap(([name, { waiting, oldest_seconds, reason }]) =>
    reason === null || (oldest_seconds ?? 0) < rules.behindAfterSeconds
      ? []
      : [
          warning(
            'queues',
            `The queue ${name} is behind: ${counted(waiting, 'piece')} of work ${waiting === 1 ? 'waits' : 'wait'}, the first has been due for ${counted(Math.round(oldest_seconds ?? 0), 'second')}: ${WHY[reason]}`,
          ),
        ],
  );
  return behind.length > 0 ? behind : [ok('queues', 'No queue is behind.')];
}
