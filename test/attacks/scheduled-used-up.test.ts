import { expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { Client } from '../support/client.ts';
import { authorize, install, makeTeam, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';

/* An application schedules as much as it may for a person, who could schedule nothing more then. */

const { server, host, ada, bob } = scene({ people: ['Ada', 'Bob'] });
const MESSAGES = '/v1/users/me/scheduled_messages';
const REMINDERS = '/v1/users/me/reminders';

const inHours = (hours: number) => ({
  local: new Date(server.clock.now() + hours * 3_600_000).toISOString().slice(0, 16),
  zone: 'Etc/UTC',
});

it('a token uses up nothing of what its person may schedule (claim: scheduled-apart)', async () => {
  const { db } = server.running;
  const team = await makeTeam(ada, [bob]);
  const app = await register(ada, host, { scopes: ['messages:write'] });
  await install(ada, team, app);
  const { access_token } = await authorize(bob, team, app);
  const [narrow, session] = [server.anonymous().withToken(access_token), bob.client];
  const message = { text: 'again', addressed_teams: [team] };
  const send_at = inHours(30);
  const ask = async (by: Client, at: object) => {
    const { status, body } = await by.post(MESSAGES, { send_at: at, message });
    return [status, body.errors?.[0]?.reason];
  };
  const answers = await Promise.all(Array.from({ length: 31 }, () => ask(narrow, send_at)));
  expect(answers.filter(([status]) => status === 200)).toHaveLength(30);
  expect(await ask(narrow, send_at)).toEqual([409, 'too_many_at_once']);
  expect(await ask(session, send_at)).toEqual([200, undefined]);
  const [row] = await runSql<object>(
    db,
    'SELECT * FROM scheduled WHERE user_id = ? AND through IS NOT NULL LIMIT 1',
    [bob.id],
  );
  const names = Object.keys(row ?? {});
  for (let left = 250; left > 0; left--) {
    const values = names.map((name) => (name === 'id' ? '?' : name));
    await runSql(
      db,
      `INSERT INTO scheduled (${names.join(', ')}) SELECT ${values.join(', ')} FROM scheduled
        WHERE user_id = ? AND through IS NOT NULL ORDER BY id LIMIT 1`,
      [newId(), bob.id],
    );
  }
  expect(await ask(narrow, inHours(40))).toEqual([409, 'too_many_scheduled']);
  expect(await ask(session, inHours(40))).toEqual([200, undefined]);
  const reminder = { at: inHours(40), text: 'to look' };
  expect((await session.post(REMINDERS, reminder)).status).toBe(200);
});
