import { describe, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { until } from '../../../test/support/until.ts';

const { server, ada } = scene({ people: ['Ada'], options: { workerIntervalMs: 20 } });
const MESSAGES = '/v1/users/me/scheduled_messages';
const HOUR = 3600;

const inAnHour = () => ({
  local: new Date(server.clock.now() + HOUR * 1000).toISOString().slice(0, 16),
  zone: 'Etc/UTC',
});
const schedule = (by: Person, message: object) => by.client.post(MESSAGES, { send_at: inAnHour(), message });
const listed = async (by: Person) => (await by.client.get(MESSAGES)).data;

describe('hundreds for one minute', () => {
  const MANY = 25;
  /** Those of the first come first: they were scheduled before, and the account is older. */
  async function scheduleMany(place: string, by: Person, late: Person): Promise<void> {
    for (let at = 0; at < MANY; at++)
      expect((await schedule(by, { text: `flood ${at}`, addressed_teams: [place] })).status).toBe(200);
    expect((await schedule(late, { text: 'in time', addressed_teams: [place] })).status).toBe(200);
  }
  async function sendAll(by: Person, late: Person): Promise<void> {
    server.clock.advance(HOUR + 120);
    const left = async () => [...(await listed(by)), ...(await listed(late))];
    await until(async () => (await left()).every(({ status }) => status !== 'pending'));
  }
  const oldestFirst = async (by: Person, query: string): Promise<{ id: string; text: string }[]> =>
    (await by.client.get(`/v1/messages?limit=100&${query}`)).data.toReversed();

  it('of one person delay those of another by one', async () => {
    const [flood, late] = [await signUp(server, 'Flood'), await signUp(server, 'Late')];
    const place = await makeTeam(ada, [flood, late]);
    await scheduleMany(place, flood, late);
    await sendAll(flood, late);
    const texts = (await oldestFirst(ada, `team=${place}`)).map(({ text }) => text);
    expect(texts).toHaveLength(MANY + 1);
    expect(texts.indexOf('in time')).toBeLessThan(2);
  });

  it('delay others no longer where all of them are refused', async () => {
    const [flood, late] = [await signUp(server, 'Flood'), await signUp(server, 'Late')];
    const place = await makeTeam(ada, [flood, late]);
    await scheduleMany(place, flood, late);
    await ada.client.delete(`/v1/teams/${place}/users/${flood.id}`);
    await sendAll(flood, late);
    const [sent] = await oldestFirst(late, `team=${place}`);
    const notes = await oldestFirst(flood, `with=${flood.id}`);
    expect(notes).toHaveLength(MANY);
    expect(notes.filter(({ id }) => id < (sent?.id ?? '')).length).toBeLessThan(2);
  });
});
