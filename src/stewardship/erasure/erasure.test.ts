import { expect, it } from 'vitest';
import { newId } from '#platform/ids.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';
import { erasureService } from './erasure.service.ts';

/** Batches of the long one. */
const LONG = 40;

// The server's own worker looks around once an hour.
const { server } = scene({ people: ['Ada'], options: { workerIntervalMs: 3_600_000 } });

it('a short job does not wait for the end of a long one', async () => {
  const { db } = server.running;
  const done: string[] = [];
  const [person, team] = [newId(), newId()];
  const erasure = erasureService({
    db,
    clock: server.clock.now,
    steps: {
      person: [
        {
          erase: async (_, id) => {
            done.push('person');
            return done.filter((one) => one === 'person').length < LONG ? id : undefined;
          },
        },
      ],
      team: [],
      whereabouts: [],
      uninstallation: [],
      standing: [],
      withdrawal: [{ erase: async () => void done.push('team') }],
    },
    claimTeams: async () => [],
    intervalMs: 3_600_000,
    onAttempt: () => undefined,
    onError: () => undefined,
  });
  await db.write(async (tx) => {
    await erasure.later(tx, 'person', person);
    await erasure.later(tx, 'withdrawal', team);
    // The team was restored and deleted again before the job has begun.
    await erasure.later(tx, 'withdrawal', team);
  });
  await until(async () => (await runSql(db, 'SELECT subject_id FROM erasures')).length === 0);
  await erasure.stop();
  expect(done.filter((one) => one === 'team')).toEqual(['team']);
  expect(done.indexOf('team')).toBeLessThan(LONG);
  expect(done).toHaveLength(LONG + 1);
});
