import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { PushService } from '../../../test/support/push-service.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const { server, ada } = scene({ people: ['Ada'], options: { workerIntervalMs: 20 } });
const service = new PushService();
beforeAll(() => service.start());
afterAll(() => service.stop());

let names = 0;
/** Somebody with a device, and with these choices of what notifies. */
async function invitee(settings: object = {}): Promise<{ person: Person; device: string }> {
  const person = await signUp(server, 'Ben');
  await person.client.patch('/v1/users/me/push_settings', settings);
  const device = `invited-${++names}`;
  await service.subscribe(person.client, device);
  return { person, device };
}
const invite = async (team: string, person: Person, by = ada): Promise<string> =>
  (await by.client.post(`/v1/teams/${team}/invitations`, { users: [person.id] })).data[0].id;

/** Everything before it was pushed, or is not. @returns what the device got before */
async function allOf({ person, device }: { person: Person; device: string }) {
  await person.client.patch('/v1/users/me/push_settings', { paused: false, direct: true });
  const { data } = await person.client.get('/v1/users/me/push_subscriptions');
  await person.client.post(`/v1/users/me/push_subscriptions/${data[0].id}/test`);
  // Pushes to one device are sent side by side.
  await until(async () => {
    const due = `SELECT id FROM pushes WHERE next_attempt_at <= ${server.clock.now()} LIMIT 1`;
    return (await runSql(server.running.db, due)).length === 0;
  });
  return service.to(device).filter(({ content }) => content.kind !== 'test');
}

describe('an invitation by name', () => {
  it('is pushed with who invites where, and opens the teams', async () => {
    const team = await makeTeam(ada, [], 'Harbour');
    const { person, device } = await invitee();
    await invite(team, person);
    const { content, headers } = await service.next(device);
    expect(content).toMatchObject({
      kind: 'message',
      title: 'Ada Test',
      body: 'Invites you to Harbour',
      url: '/teams',
    });
    expect(JSON.stringify(headers)).not.toContain(team);
    await invite(team, person);
    expect((await service.next(device, 2)).content.tag).toBe(content.tag);
  });

  it('goes away on the device when the person joins', async () => {
    const team = await makeTeam(ada);
    const { person, device } = await invitee();
    const id = await invite(team, person);
    await service.next(device);
    await person.client.put(`/v1/users/me/invitations/${id}`);
    expect((await service.next(device, 2)).content.kind).toBe('read');
  });

  it.each([
    ['pauses', { paused: true }, []],
    ['wants no direct messages', { direct: false }, []],
    ['has quiet days', { quiet_days: [1, 2, 3, 4, 5, 6, 7] }, []],
    ['lets nothing show', { content: 'none' }, [['Parley', 'New invitation to a team']]],
  ] as const)('respects who %s', async (_, settings, shown) => {
    const invited = await invitee(settings);
    await invite(await makeTeam(ada, [], 'Harbour'), invited.person);
    const pushed = await allOf(invited);
    expect(pushed.map(({ content }) => [content.title, content.body])).toEqual(shown);
  });

  const ends: Record<
    string,
    (of: { team: string; id: string; person: Person; by: Person }) => Promise<unknown>
  > = {
    'was withdrawn': ({ team, id, by }) => by.client.delete(`/v1/teams/${team}/invitations/${id}`),
    'was accepted': ({ id, person }) => person.client.put(`/v1/users/me/invitations/${id}`),
    'was declined': ({ id, person }) => person.client.delete(`/v1/users/me/invitations/${id}`),
    'is of a former admin': ({ team, by }) =>
      ada.client.patch(`/v1/teams/${team}/users/${by.id}`, { membership_type: 2 }),
    'is to a closed team': ({ team }) => ada.client.delete(`/v1/teams/${team}`),
  };
  it.each(Object.entries(ends))('that %s is not pushed (claim: invitation-push-stands)', async (_, end) => {
    const team = await makeTeam(ada);
    const by = await signUp(server, 'Cy');
    const own = await invite(team, by);
    await by.client.put(`/v1/users/me/invitations/${own}`);
    await ada.client.patch(`/v1/teams/${team}/users/${by.id}`, { membership_type: 1 });
    const { person, device } = await invitee();
    service.answers.set(device, { status: 503 });
    const id = await invite(team, person, by);
    await until(async () => (await failures(person)) > 0);
    service.answers.delete(device);
    await end({ team, id, person, by });
    server.clock.advance(11);
    await until(async () => (await waiting(person)).length === 0);
    expect(service.to(device)).toEqual([]);
  });
});

const waiting = (person: Person) =>
  runSql(server.running.db, 'SELECT id FROM pushes WHERE user_id = ?', [person.id]);
const failures = async (person: Person) =>
  (
    await runSql<{ num_failures: number }>(
      server.running.db,
      'SELECT num_failures FROM push_subscriptions WHERE user_id = ?',
      [person.id],
    )
  )[0]?.num_failures ?? 0;
