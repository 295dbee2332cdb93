import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { makeTeam, type Person } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, main, type Program, startProgram } from '../support/process.ts';

/** Makes the clock of a process differ from that of the machine by `CLOCK_SHIFT` milliseconds. */
const SHIFTED =
  'data:text/javascript,const now = Date.now; Date.now = () => now() + Number(process.env.CLOCK_SHIFT)';
const FIVE_MINUTES = 300_000;

let settings: NodeJS.ProcessEnv;
let programs: Program[] = [];

/** With SQLite all servers run on one machine, with one clock. */
describe('servers whose machines tell different times', () => {
  beforeEach(async () => {
    settings = {
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      REGISTRATION: 'open',
      DATA_DIR: newFolder(),
      DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')),
    };
  });
  afterEach(async () => {
    await Promise.all(programs.map((program) => program.end('SIGTERM')));
    programs = [];
  });

  async function start(shift: number): Promise<Program> {
    const environment = { ...settings, PORT: String(await freePort()), CLOCK_SHIFT: String(shift) };
    const args = ['--import', SHIFTED, main, 'start'];
    const program = await startProgram(args, environment, /ready at (\S+)/);
    programs.push(program);
    return program;
  }

  const urlOf = ({ found }: Program) => found.replace('localhost', '127.0.0.1');

  it('go by the time of the database, and say that their own is wrong (claim: one-clock)', async () => {
    const right = await start(0);
    const ahead = await start(FIVE_MINUTES);
    const behind = await start(-FIVE_MINUTES);
    const ada = await signUpAt(urlOf(right));
    const team = await makeTeam(ada);
    for (const node of [ahead, right, behind]) {
      const { data } = await ada.client.at(urlOf(node)).post('/v1/messages', {
        text: 'hello',
        addressed_teams: [team],
      });
      const difference = data[0].created_at * 1000 - Date.now();
      expect(Math.abs(difference)).toBeLessThan(FIVE_MINUTES / 2);
    }

    expect(await warningsOf(right)).toBeUndefined();
    expect(await warningsOf(ahead)).toEqual([
      expect.stringMatching(/is [23]\d{5} ms ahead of that of PostgreSQL/),
    ]);
    expect(await warningsOf(behind)).toEqual([expect.stringMatching(/is [23]\d{5} ms behind/)]);
    await ahead.written(/the clock of this machine differs/);
    expect(right.output()).not.toContain('the clock of this machine differs');
  });

  const warningsOf = async (node: Program) => (await new Client(urlOf(node)).get('/readyz')).body.warnings;
});

async function signUpAt(url: string): Promise<Person> {
  const client = new Client(url);
  const email = 'ada@example.org';
  const fields = { email, password: 'a password of length', first_name: 'Ada', last_name: '' };
  const { data } = await client.post('/v1/users', fields);
  return { id: data[0].id, email, client };
}
