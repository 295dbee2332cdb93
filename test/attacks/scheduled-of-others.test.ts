import { beforeAll, describe, expect, it } from 'vitest';
import { makeTeam, type Person } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { dumpTables, runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

/*
 * Somebody tries to read, change, send or delete what others have scheduled, by an id that they have learned; to have
 * something written later where they may not write any more; and to keep the words of a message by a reminder. Rows are
 * found by their author, what is sent has the rights of that moment, and a reminder names its message by its id.
 */

const { server, ada, bob, mallory } = scene({
  people: ['Ada', 'Bob', 'Mallory'],
  options: { workerIntervalMs: 20 },
});
const MESSAGES = '/v1/users/me/scheduled_messages';
const REMINDERS = '/v1/users/me/reminders';
const HOUR = 3600;

let team: string;
beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
});

const inAnHour = () => ({
  local: new Date(server.clock.now() + HOUR * 1000).toISOString().slice(0, 16),
  zone: 'Etc/UTC',
});
const schedule = (by: Person, message: object) => by.client.post(MESSAGES, { send_at: inAnHour(), message });
const listed = async (by: Person, path = MESSAGES) => (await by.client.get(path)).data;

describe('what others have scheduled', () => {
  it('is neither listed, changed, sent nor deleted, by an id that somebody has learned', async () => {
    const mine = (await schedule(ada, { text: 'mine', addressed_teams: [team] })).data[0].id;
    const note = (await ada.client.post(REMINDERS, { at: inAnHour(), text: 'mine' })).data[0].id;
    for (const other of [bob, mallory]) {
      for (const path of [`${MESSAGES}/${mine}`, `${MESSAGES}/${note}`])
        for (const change of [{ send_now: true }, { send_at: inAnHour() }])
          expect((await other.client.patch(path, change)).code).toBe(4040);
      for (const path of [`${MESSAGES}/${mine}`, `${REMINDERS}/${note}`])
        expect((await other.client.delete(path)).code).toBe(4040);
      const seen = [...(await listed(other)), ...(await listed(other, REMINDERS))].map(({ id }) => id);
      expect(seen.filter((id) => id === mine || id === note)).toEqual([]);
    }
    expect((await listed(ada)).find(({ id }) => id === mine)).toMatchObject({ status: 'pending' });
  });
});

describe('a time of one’s own', () => {
  it('gets nothing into a place that its author has left by then, also by another text or place', async () => {
    const place = await makeTeam(ada, [mallory]);
    const root = (await ada.client.post('/v1/messages', { text: 'a plan', addressed_teams: [place] })).data[0]
      .id;
    const asked = [
      await schedule(mallory, { text: 'spam', addressed_teams: [place] }),
      await schedule(mallory, { text: 'spam', reply_to: root }),
      await schedule(mallory, { text: 'spam', addressed_users: [ada.id] }),
    ];
    await ada.client.delete(`/v1/teams/${place}/users/${mallory.id}`);
    for (const { data } of asked) {
      const path = `${MESSAGES}/${data[0].id}`;
      expect((await mallory.client.patch(path, { send_now: true })).code).toBeGreaterThanOrEqual(4008);
      const again = { message: { text: 'spam', addressed_teams: [place] } };
      expect((await mallory.client.patch(path, again)).code).toBe(4008);
    }
    server.clock.advance(HOUR + 120);
    await until(async () => (await listed(mallory)).every(({ status }) => status === 'failed'));
    expect((await ada.client.get(`/v1/messages?team=${place}`)).data.map(({ text }) => text)).toEqual([
      'a plan',
    ]);
    expect((await ada.client.get(`/v1/messages?with=${mallory.id}`)).data).toEqual([]);
  });

  it('a reminder keeps no words of a message that is deleted before it comes', async () => {
    const secret = `secret ${'word'.repeat(5)}`;
    const { id } = (await bob.client.post('/v1/messages', { text: secret, addressed_teams: [team] })).data[0];
    await ada.client.post(REMINDERS, { at: inAnHour(), message: id });
    await bob.client.delete(`/v1/messages/${id}`);
    const rows = (await dumpTables(server.running.db)).get('scheduled');
    expect(rows).toContain(id);
    expect(rows).not.toContain(secret);
    server.clock.advance(HOUR + 120);
    await until(async () => (await listed(ada, REMINDERS)).every(({ status }) => status !== 'pending'));
    const notes = (await ada.client.get(`/v1/messages?with=${ada.id}`)).data;
    expect(notes.map(({ text }) => text).join()).not.toContain(secret);
    expect(await runSql(server.running.db, `SELECT id FROM messages WHERE text LIKE '%${secret}%'`)).toEqual(
      [],
    );
  });
});
