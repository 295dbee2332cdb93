/*
 * A developer renames an object that thousands of messages mention, again and again, so that all searches of the server wait
 * until these messages are indexed anew. A rename writes one row, whose messages are brought in in the background, a few at a
 * time and by owner in turn; and a search waits for the index for a moment only, and only for what was queued before it.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { PASS_EVERY_MS } from '../../src/conversation/messages/index.ts';
import type { Client } from '../support/client.ts';
import {
  authorize,
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

const { server, host, eve, bob, ada } = scene({ people: ['Eve', 'Bob', 'Ada'] });
/** More than are indexed in one go, three times. */
const MANY = 130;

interface Workshop {
  readonly owner: Person;
  readonly team: string;
  readonly app: RegisteredApplication;
  readonly token: Client;
}
let theirs: Workshop;

async function workshopOf(owner: Person): Promise<Workshop> {
  const team = await makeTeam(owner);
  const app = await register(owner, host, { scopes: ['messages:read', 'messages:write'] });
  await install(owner, team, app);
  const token = server.anonymous().withToken((await authorize(owner, team, app)).access_token);
  return { owner, team, app, token };
}

/** An object that some messages mention. */
async function makeObject(
  { app, team, token }: Workshop,
  numMessages: number,
  name = 'thing',
): Promise<string> {
  const fields = { name, team, type: 'task', url: '/tasks/1' };
  const { data } = await app.credentials.post(`/v1/applications/${app.id}/objects`, fields);
  const [{ id }] = data;
  const mentions = [{ type: 'appobject', id }];
  for (let n = 0; n < numMessages; n++)
    await token.post('/v1/messages', { text: '{0} is due', addressed_teams: [team], mentions });
  return id;
}

const rename = ({ app }: Workshop, object: string, name: string) =>
  app.credentials.patch(`/v1/applications/${app.id}/objects/${object}`, { name });

const found = async ({ client }: Person, word: string): Promise<number> =>
  (await client.get(`/v1/messages?q=${word}&limit=200`)).data.length;

const jobsOf = async (object: string): Promise<number> =>
  (await runSql(server.running.db, 'SELECT * FROM message_index_jobs WHERE object_id = ?', [object])).length;
const numWaiting = async (): Promise<number> =>
  (await runSql(server.running.db, 'SELECT * FROM message_index_queue')).length;

const PAGE = /AS marked|MATCH \S+ AND message_words\.rowid < \S+ ORDER/;

/** Looks at each read of messages to index anew, which may hold it up. */
function watchPages(look: (parameters: readonly unknown[]) => unknown, at: TestServer = server): void {
  const { db } = at.running;
  const all = db.all.bind(db);
  vi.spyOn(db, 'all').mockImplementation(async (sql, parameters) => {
    if (PAGE.test(sql)) await look(parameters);
    return all(sql, parameters);
  });
}

beforeAll(async () => {
  theirs = await workshopOf(eve);
});
const gates: PromiseWithResolvers<void>[] = [];
const newGate = () => {
  const gate = Promise.withResolvers<void>();
  gates.push(gate);
  return gate;
};
afterEach(() => {
  // Also where a test has failed: what waits would keep the server from stopping.
  for (const gate of gates.splice(0)) gate.resolve();
  vi.restoreAllMocks();
});

describe('renames of an object that many messages mention', () => {
  it('cost a row, delay no search, and end with the newest name (claim: renames-apart)', async () => {
    const object = await makeObject(theirs, MANY, 'first');
    const team = await makeTeam(ada);
    expect(await found(eve, 'first')).toBe(MANY);
    const gate = newGate();
    watchPages(() => gate.promise);
    for (let n = 0; n < 20; n++) expect((await rename(theirs, object, `newer${n}`)).status).toBe(200);
    expect([await jobsOf(object), await numWaiting()]).toEqual([1, 0]);
    await ada.client.post('/v1/messages', { text: 'fresh', addressed_teams: [team] });
    expect(await found(ada, 'fresh')).toBe(1);
    expect(await found(eve, 'first')).toBe(MANY);
    gate.resolve();
    await until(async () => (await found(eve, 'newer19')) === MANY);
    // A pass that was under way is followed by one more, and then the row is gone.
    await until(async () => {
      server.clock.advance(PASS_EVERY_MS / 1000);
      return (await jobsOf(object)) === 0;
    });
    expect([await found(eve, 'newer19'), await found(eve, 'newer18'), await found(eve, 'first')]).toEqual([
      MANY,
      0,
      0,
    ]);
  });

  it('that come during a pass are brought in by the next one', async () => {
    const object = await makeObject(theirs, MANY);
    const gate = newGate();
    let pages = 0;
    watchPages(() => (++pages === 2 ? gate.promise : undefined));
    await rename(theirs, object, 'early');
    await until(() => pages === 2);
    await rename(theirs, object, 'late');
    gate.resolve();
    await until(async () => {
      server.clock.advance(PASS_EVERY_MS / 1000);
      return (await found(eve, 'late')) === MANY;
    });
    expect(await found(eve, 'early')).toBe(0);
  });

  it('of an address alone index nothing anew', async () => {
    const object = await makeObject(theirs, 1);
    const path = `/v1/applications/${theirs.app.id}/objects/${object}`;
    expect((await theirs.app.credentials.patch(path, { url: '/tasks/2' })).status).toBe(200);
    expect(await jobsOf(object)).toBe(0);
  });

  it('of one owner delay those of another by a few messages (claim: renames-in-turn)', async () => {
    const objects = [
      await makeObject(theirs, 60),
      await makeObject(theirs, 60),
      await makeObject(theirs, 60),
    ];
    const his = await workshopOf(bob);
    const one = await makeObject(his, 1);
    const gate = newGate();
    const pages: string[] = [];
    watchPages(async ([mark]) => {
      pages.push(String(mark).includes(one.replaceAll('-', '')) ? 'bob' : 'eve');
      if (pages.length === 1) await gate.promise;
    });
    for (const object of objects) await rename(theirs, object, 'crowd');
    await until(() => pages.length === 1);
    await rename(his, one, 'single');
    gate.resolve();
    await until(async () => (await found(bob, 'single')) === 1);
    expect(pages.indexOf('bob')).toBeLessThanOrEqual(2);
    await until(async () => (await found(eve, 'crowd')) === 180);
  });

  it('go on where a server was killed meanwhile', async () => {
    const object = await makeObject(theirs, MANY);
    const gate = newGate();
    let pages = 0;
    watchPages(() => (++pages === 2 ? gate.promise : undefined));
    await rename(theirs, object, 'killed');
    await until(() => pages === 2);
    // The one that would go on does nothing any more: its lease is over, and another one has taken its place.
    server.clock.advance(16);
    const other = process.env.TEST_DATABASE === 'postgres' ? await anotherNode() : undefined;
    if (other) await until(async () => (await found(eve, 'killed')) === MANY);
    gate.resolve();
    await until(async () => (await found(eve, 'killed')) === MANY);
    expect(pages).toBeGreaterThan(1);
    await other?.stop();
  });
});

/** Another server on the same database. */
const anotherNode = () =>
  startTestServer(server.environment, { clock: server.clock.now, searchPatienceMs: 5000 });

describe.runIf(process.env.TEST_DATABASE === 'postgres')('several servers', () => {
  it('share the work', async () => {
    const object = await makeObject(theirs, MANY);
    const other = await anotherNode();
    await rename(theirs, object, 'together');
    const { client } = eve;
    const there = { ...eve, client: client.at(other.url) };
    await until(async () => (await found(there, 'together')) === MANY);
    expect(await found(eve, 'together')).toBe(MANY);
    await other.stop();
  });
});

describe('a search', () => {
  let impatient: TestServer;
  beforeAll(async () => {
    impatient = await startTestServer({}, { searchPatienceMs: 50 });
  });
  afterAll(() => impatient.stop());

  it('waits for the index for a moment, and answers with what is there (claim: searches-wait-briefly)', async () => {
    const cleo = await signUp(impatient, 'Cleo');
    const team = await makeTeam(cleo);
    const post = (text: string) => cleo.client.post('/v1/messages', { text, addressed_teams: [team] });
    await post('first word');
    await until(async () => (await found(cleo, 'word')) === 1);
    const { db } = impatient.running;
    const write = db.write.bind(db);
    const gate = newGate();
    // Whoever writes next waits, but for the post.
    let writes = 0;
    vi.spyOn(db, 'write').mockImplementation(async (work) => {
      if (/indexSome/.test(work.name)) {
        writes++;
        await gate.promise;
      }
      return write(work);
    });
    await post('second word');
    await until(() => writes > 0);
    expect(await found(cleo, 'word')).toBe(1);
    gate.resolve();
    await until(async () => (await found(cleo, 'word')) === 2);
  });

  it('does not wait for what was queued after it', async () => {
    const [{ id: old }] = (
      await eve.client.post('/v1/messages', { text: 'old', addressed_teams: [theirs.team] })
    ).data;
    expect(await found(eve, 'old')).toBe(1);
    const { db } = server.running;
    const write = db.write.bind(db);
    let rounds = 0;
    let going = true;
    // After each round there is more, older than all that the search waits for.
    vi.spyOn(db, 'write').mockImplementation(async (work) => {
      const done = await write(work);
      if (/indexSome/.test(work.name)) rounds++;
      if (going && /indexSome/.test(work.name))
        await runSql(db, 'INSERT INTO message_index_queue (message_id) VALUES (?) ON CONFLICT DO NOTHING', [
          old,
        ]);
      return done;
    });
    await eve.client.post('/v1/messages', { text: 'young', addressed_teams: [theirs.team] });
    expect(await found(eve, 'young')).toBe(1);
    going = false;
    // Of hundreds for which its patience would last.
    expect(rounds).toBeLessThan(10);
  });
});
