import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { join, makeTeam, type Person } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, main, type Program, startProgram } from '../support/process.ts';

/** Makes the clock of a process differ from that of the machine by `CLOCK_SHIFT` milliseconds. */
const SHIFTED =
  'data:text/javascript,const now = Date.now; Date.now = () => now() + Number(process.env.CLOCK_SHIFT)';
const HOUR_MS = 3_600_000;

let settings: NodeJS.ProcessEnv;
let programs: Program[] = [];

beforeEach(async () => {
  settings = {
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    REGISTRATION: 'open',
    DATA_DIR: newFolder(),
    ...(process.env.TEST_DATABASE === 'postgres' && {
      DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')),
    }),
  };
});

afterEach(async () => {
  await Promise.all(programs.map((program) => program.end('SIGTERM')));
  programs = [];
});

/** A server whose clock is off by some milliseconds. @returns its address */
async function startShifted(shift: number): Promise<string> {
  const environment = { ...settings, PORT: String(await freePort()), CLOCK_SHIFT: String(shift) };
  const program = await startProgram(['--import', SHIFTED, main, 'start'], environment, /ready at (\S+)/);
  programs.push(program);
  return program.found.replace('localhost', '127.0.0.1');
}

async function signUpAt(url: string, name: string): Promise<Person> {
  const client = new Client(url);
  const email = `${name.toLowerCase()}@example.org`;
  const fields = { email, password: 'a password of length', first_name: name, last_name: '' };
  const { data, text } = await client.post('/v1/users', fields);
  if (!data) throw new Error(text);
  return { id: data[0].id, email, client };
}

const at = (person: Person, url: string): Person => ({ ...person, client: person.client.at(url) });

async function say(author: Person, team: string, text: string): Promise<string> {
  return (await author.client.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id;
}
const reply = async (author: Person, id: string): Promise<string> =>
  (await author.client.post(`/v1/messages/${id}/replies`, { text: 'reply' })).data[0].id;
const shown = async (viewer: Person, id: string) => (await viewer.client.get(`/v1/messages/${id}`)).data[0];

describe('a clock that was set back while the server was stopped', () => {
  it('leaves what is written next the newest, and unread', async () => {
    const before = await startShifted(0);
    let [ada, bob] = [await signUpAt(before, 'Ada'), await signUpAt(before, 'Bob')];
    const team = await makeTeam(ada, [bob]);
    const old = [await say(ada, team, 'before 0'), await say(ada, team, 'before 1')];
    await reply(ada, old[0] as string);
    await bob.client.put('/v1/users/me/read');
    await Promise.all(programs.splice(0).map((program) => program.end('SIGTERM')));

    const url = await startShifted(-HOUR_MS);
    [ada, bob] = [at(ada, url), at(bob, url)];
    const late = await reply(ada, old[0] as string);
    const next = [await say(ada, team, 'after 0'), await say(ada, team, 'after 1')];
    const { data } = await bob.client.get(`/v1/messages?team=${team}`);
    expect(data.map(({ id }) => id)).toEqual([...old, ...next].reverse());
    expect((await shown(bob, late)).read).toBe(false);
    expect((await shown(bob, old[0] as string)).unread_reply).toBe(true);
    const read = await bob.client.put(`/v1/teams/${team}/read`, { up_to: data[0].id });
    expect(read.data[0].unread_count).toBe(0);
    const ready = await bob.client.get('/readyz');
    expect(ready.status).toBe(200);
    expect(ready.body).toMatchObject({
      status: 'ready',
      warnings: [
        process.env.TEST_DATABASE === 'postgres'
          ? expect.stringMatching(/^The clock of this machine is 3[56]\d{5} ms behind that of PostgreSQL$/)
          : expect.stringMatching(/^The clock is 3[56]\d\d seconds behind the newest message$/),
      ],
    });
  });
});

/** Two servers share a database on PostgreSQL alone. */
describe.runIf(process.env.TEST_DATABASE === 'postgres')('two servers whose clocks differ', () => {
  it.each([
    ['ahead', HOUR_MS],
    ['behind', -HOUR_MS],
  ])(
    'marking everything as read on the one that is %s marks what was written, and no later reply',
    async (_, shift) => {
      const [one, other] = [await startShifted(0), await startShifted(shift)];
      const [ada, bob] = [await signUpAt(one, 'Ada'), await signUpAt(one, 'Bob')];
      const team = await makeTeam(ada, [bob]);
      const id = await say(ada, team, 'question');
      const toBob = await ada.client.post('/v1/messages', { text: 'direct', addressed_users: [bob.id] });
      for (const root of [id, toBob.data[0].id]) {
        const early = await reply(ada, root);
        await at(bob, other).client.put('/v1/users/me/read');
        expect((await shown(bob, early)).read).toBe(true);
        const late = [await reply(ada, root), await reply(at(ada, other), root)];
        expect(await Promise.all(late.map(async (one) => (await shown(bob, one)).read))).toEqual([
          false,
          false,
        ]);
      }
    },
  );

  it('a member who joins on the server that is behind sees later replies as new', async () => {
    const [one, behind] = [await startShifted(0), await startShifted(-HOUR_MS)];
    const [ada, bob] = [await signUpAt(one, 'Ada'), await signUpAt(one, 'Bob')];
    const team = await makeTeam(ada);
    const id = await say(ada, team, 'question');
    const early = await reply(ada, id);
    await join(ada, team, bob);
    const late = await reply(at(ada, behind), id);
    expect([(await shown(bob, early)).read, (await shown(bob, late)).read]).toEqual([true, false]);
  });
});
