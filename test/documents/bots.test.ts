import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { makeTeam, type Person } from '../support/people.ts';
import { freePort, type Program, root, startProgram } from '../support/process.ts';
import { scene } from '../support/scene.ts';

const { server, ada, bob, carol, dan } = scene({ people: ['Ada', 'Bob', 'Carol', 'Dan'] });
const folder = newFolder();
const programs: Program[] = [];

afterEach(async () => {
  for (const program of programs.splice(0)) await program.end('SIGTERM');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Place {
  readonly team: string;
  /** Starts the bot, on the data of its last run. */
  readonly start: (more?: NodeJS.ProcessEnv) => Promise<Program>;
}

/** A team of all, whose admin is Ada, with a bot in it. It does not run yet when this is over. */
async function place(name: string): Promise<Place> {
  const team = await makeTeam(ada, [bob, carol, dan]);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const registered = await ada.client.post('/v1/applications', {
    ...{ name, base_url: url, preinstall_url: `${url}/install`, redirect_uris: [`${url}/redirect`] },
    scopes: ['messages:read', 'messages:write', 'members:read'],
  });
  const { id, client_secret: secret } = registered.data[0];
  const start = async (more: NodeJS.ProcessEnv = {}) => {
    const environment = {
      ...{ PORT: String(port), PARLEY_URL: server.url, PARLEY_CLIENT_ID: id, PARLEY_CLIENT_SECRET: secret },
      ...{ DATA_FILE: join(folder, `${port}.db`), ...more },
    };
    const main = join(root, `examples/${name.toLowerCase()}/main.ts`);
    const program = await startProgram([main], environment, /listening to/);
    programs.push(program);
    return program;
  };
  const first = await start();
  expect((await ada.client.post(`/v1/teams/${team}/applications`, { application: id })).status).toBe(200);
  await first.end('SIGTERM');
  return { team, start };
}

const nameOf = async (person: Person): Promise<string> =>
  (await person.client.get('/v1/users/me')).data[0].username;
const post = async (person: Person, team: string, text: string): Promise<string> =>
  (await person.client.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id;
const repliesTo = async (message: string): Promise<string[]> =>
  (await ada.client.get(`/v1/messages/${message}/replies`)).data.map(({ text }) => text);
/** What the bot told a person alone. */
const toldTo = async ({ client }: Person, team: string): Promise<string[]> =>
  (await client.get(`/v1/users/me/ephemeral_answers?team=${team}`)).data.map(({ text }) => text);

/** The newest message of the bot, which has blocks. */
async function shownIn(team: string): Promise<{ id: string; text: string; blocks: string }> {
  const { data } = await ada.client.get(`/v1/messages?team=${team}`);
  const { id, text, blocks } = data.find((message) => message.blocks) ?? { id: '', text: '' };
  return { id, text, blocks: JSON.stringify(blocks) };
}
const blocksIn = async (team: string) => (await shownIn(team)).blocks;

/** Presses a button by the text that it has in the blocks. */
async function press(person: Person, team: string, action: string, value: string, click = randomUUID()) {
  const { id } = await shownIn(team);
  const { blocks } = (await ada.client.get(`/v1/messages/${id}`)).data[0];
  for (const { block_id, accessory, elements = [accessory] } of blocks)
    for (const element of elements)
      if (element?.action_id === action && element.value.endsWith(value))
        return person.client.post(`/v1/messages/${id}/interactions`, { block_id, action_id: action, click });
  throw new Error(`there is no ${action} ${value} in ${JSON.stringify(blocks)}`);
}

describe('the approval bot', () => {
  it('lets the person who is asked decide, once, and says who did', async () => {
    const { team, start } = await place('Approval');
    await start();
    const unknown = await post(bob, team, '@approval @nobody please');
    await expect.poll(() => repliesTo(unknown)).toEqual([expect.stringContaining('Nobody in this team')]);
    const own = await post(bob, team, `@approval @${await nameOf(bob)} please`);
    await expect.poll(() => repliesTo(own)).toEqual(['Somebody else has to decide it.']);

    await post(bob, team, `@approval @${await nameOf(carol)}: Friday off, @team <3`);
    await expect.poll(() => blocksIn(team)).toContain('Friday off, @team <3');
    const { id, text } = await shownIn(team);
    expect(text).toMatch(/^@carol\S*, Bob asks for approval: Friday off/);

    // Neither somebody else nor the one who asked, and both are told.
    await press(dan, team, 'approve', '1');
    await press(bob, team, 'approve', '1');
    for (const one of [dan, bob])
      await expect
        .poll(() => toldTo(one, team))
        .toEqual([expect.stringContaining('Only the person who is asked')]);
    expect(await repliesTo(id)).toEqual([]);
    expect(await blocksIn(team)).toContain('"approve"');

    const click = randomUUID();
    const both = [press(carol, team, 'approve', '1', click), press(carol, team, 'refuse', '1')];
    await Promise.allSettled(both);
    await expect.poll(() => blocksIn(team)).toMatch(/Approved|Refused/);
    expect(await blocksIn(team)).toContain(carol.id);
    expect(await blocksIn(team)).not.toContain('"approve"');
    const told = async () => (await repliesTo(id)).filter((reply) => reply.includes('this is '));
    await expect.poll(told).toEqual([expect.stringMatching(/^@bob\S*, this is (approved|refused)\.$/)]);
  });

  it('asks a second person, survives a restart, lets any admin decide, and expires', async () => {
    const { team, start } = await place('Approval');
    // The second person is asked at once.
    const soon = { ESCALATES_AFTER_HOURS: '0.000001' };
    const first = await start(soon);
    await post(bob, team, `@approval @${await nameOf(carol)} @${await nameOf(dan)} A new chair`);
    await expect.poll(() => blocksIn(team)).toContain(dan.id);
    const { id } = await shownIn(team);
    await expect.poll(() => repliesTo(id)).toEqual([expect.stringContaining('nobody has decided yet')]);
    await first.end('SIGKILL');
    await press(dan, team, 'refuse', '1');
    const second = await start();
    await expect.poll(() => blocksIn(team)).toContain('Refused');
    expect(await blocksIn(team)).toContain(dan.id);

    await post(bob, team, '@approval A larger desk');
    await expect.poll(() => blocksIn(team)).toContain('A larger desk');
    await press(ada, team, 'approve', '2');
    await expect.poll(() => blocksIn(team)).toContain('Approved');
    await second.end('SIGTERM');

    await start({ EXPIRES_AFTER_HOURS: '0.000001' });
    await post(bob, team, '@approval A boat');
    await expect.poll(() => blocksIn(team)).toContain('Nobody decided in time');
    expect(await blocksIn(team)).toContain('A boat');
  });
});

describe('the poll bot', () => {
  it('counts one vote of each, which may change, until the one who asked closes it', async () => {
    const { team, start } = await place('Poll');
    const first = await start();
    const help = await post(bob, team, '@poll Where?');
    await expect.poll(() => repliesTo(help)).toEqual([expect.stringContaining('two to ten options')]);
    await post(bob, team, '@poll Where do we *eat*? | Pizza <@team> | Sushi');
    await expect.poll(() => blocksIn(team)).toContain('0 votes');
    await press(ada, team, 'vote', ' 0');
    await press(ada, team, 'vote', ' 0');
    await press(carol, team, 'vote', ' 0');
    await expect.poll(() => blocksIn(team)).toContain('2 votes');
    await first.end('SIGTERM');
    await start();
    await press(carol, team, 'vote', ' 1');
    await expect.poll(() => blocksIn(team)).toContain('1 of 2');
    expect(await blocksIn(team)).toContain('2 votes');

    await press(ada, team, 'close', '1');
    await expect.poll(() => toldTo(ada, team)).toEqual(['Only the person who asked closes the poll.']);
    await press(bob, team, 'close', '1');
    await expect.poll(() => blocksIn(team)).toContain('Closed');
    expect(await blocksIn(team)).not.toContain('"vote"');
  });
});
