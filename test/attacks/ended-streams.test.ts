import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { Feed, pathOf, subscribe } from '../support/feed.ts';
import {
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { startTestServer } from '../support/server.ts';

/**
 * A stream was opened with something that ends. The clock stands still, so that nothing which is done at intervals can end the
 * stream: what ends it is the act.
 */
const { server, host, mailbox, ada } = scene({ people: ['Ada'], mail: true });
const password = 'a password of length';
let release: () => void;

beforeAll(() => {
  release = server.clock.hold();
});
afterAll(() => release());

const post = (team: string, text: string) =>
  ada.client.post('/v1/messages', { text, addressed_teams: [team] });

/** Signs the same person in with another browser. */
async function elsewhere({ email }: Person) {
  const client = server.anonymous();
  const answer = await client.post('/v1/sessions', { email, password });
  if (answer.status !== 200) throw new Error(`signing in failed: ${answer.text}`);
  return client;
}

/** The id of the session of a person's first browser. */
async function firstSession({ client }: Person): Promise<string> {
  return (await client.get('/v1/sessions')).data.find(({ current }) => current).id;
}

async function reset(email: string): Promise<Answer> {
  const link = new RegExp(`${server.running.url}/password_resets/([\\w-]+)`);
  await server.anonymous().post('/v1/password_resets', { email });
  const { text } = await mailbox.next(email, (mail) => link.test(mail.text));
  const token = link.exec(text)?.[1];
  return server.anonymous().put(`/v1/password_resets/${token}`, { password: 'another password of length' });
}

const endings: readonly (readonly [string, (guest: Person) => Promise<Answer>])[] = [
  ['signs out', ({ client }) => client.delete('/v1/sessions/current')],
  [
    'ends that session from another browser',
    async (guest) => {
      const id = await firstSession(guest);
      return (await elsewhere(guest)).delete(`/v1/sessions/${id}`);
    },
  ],
  [
    'changes the password in another browser',
    async (guest) =>
      (await elsewhere(guest)).post('/v1/users/me/password', {
        current: password,
        password: 'another password of length',
      }),
  ],
  ['resets the password', ({ email }) => reset(email)],
  ['closes the account', ({ client }) => client.post('/v1/users/me/deactivation', { password })],
  ['deletes the account', ({ client }) => client.ask('DELETE', '/v1/users/me', { json: { password } })],
  ['is signed out by an administrator', ({ id }) => ada.client.delete(`/v1/admin/users/${id}/sessions`)],
  ['is deactivated', ({ id }) => ada.client.patch(`/v1/admin/users/${id}`, { active: false })],
  ['is deleted by an administrator', ({ id }) => ada.client.delete(`/v1/admin/users/${id}`)],
];

describe('a person’s stream ends, and hears nothing more, when its user', () => {
  it.each(endings)('%s (claim: streams-end)', async (_, end) => {
    const guest = await signUp(server, 'Guest');
    const team = await makeTeam(ada, [guest]);
    const stream = await EventStream.open(guest.client);
    await post(team, 'heard');
    await stream.until((events) => events.some(({ kind }) => kind === 'message.created'));
    expect((await end(guest)).status).toBe(200);
    await post(team, 'a secret');
    await stream.ended();
    expect(JSON.stringify(stream.events)).not.toContain('a secret');
  });

  it('has another session that ended, and goes on in this one', async () => {
    const guest = await signUp(server, 'Guest');
    const team = await makeTeam(ada, [guest]);
    const other = await elsewhere(guest);
    const [stream, ended] = [await EventStream.open(guest.client), await EventStream.open(other)];
    await other.delete('/v1/sessions/current');
    await ended.ended();
    await post(team, 'for the session that is left');
    await stream.until((events) => events.some(({ kind }) => kind === 'message.created'));
    expect(ended.of('message.created')).toEqual([]);
    stream.close();
  });

  it('does nothing until the session expires (claim: streams-end)', async () => {
    const own = await startTestServer({ SESSION_LIFETIME: '60' });
    const [admin, guest] = [await signUp(own, 'Admin'), await signUp(own, 'Guest')];
    const team = await makeTeam(admin, [guest]);
    const stream = await EventStream.open(guest.client);
    // Long enough for a use of the session to be noted.
    own.clock.advance(40);
    await admin.client.get('/v1/users/me');
    own.clock.advance(30);
    const late = { text: 'a secret', addressed_teams: [team] };
    expect((await admin.client.post('/v1/messages', late)).status).toBe(200);
    await stream.ended();
    expect(JSON.stringify(stream.events)).not.toContain('a secret');
    await own.stop();
  });
});

/** An application of a developer in a team, with a subscription. */
async function listening() {
  const dev = await signUp(server, 'Dev');
  const team = await makeTeam(ada);
  const app = await register(dev, host, { scopes: ['messages:read'] });
  await install(ada, team, app);
  const { id } = await subscribe(app);
  return { dev, app, team, path: pathOf(app, id) };
}

interface Listening {
  readonly dev: Person;
  readonly app: RegisteredApplication;
  readonly path: string;
}

const rotate = ({ dev, app }: Listening, overlap_seconds: number) =>
  dev.client.post(`/v1/applications/${app.id}/secret`, { overlap_seconds });

const ofApplications: readonly (readonly [string, (of: Listening) => Promise<Answer>])[] = [
  ['its secret is replaced without an overlap', (of) => rotate(of, 0)],
  [
    'the overlap of its secret ends',
    async (of) => {
      const rotated = await rotate(of, 2);
      server.clock.advance(3);
      return rotated;
    },
  ],
  ['the application is deleted', ({ dev, app }) => dev.client.delete(`/v1/applications/${app.id}`)],
  ['the subscription is deleted', ({ dev, path }) => dev.client.delete(path)],
  ['the consumer is deleted', ({ dev, path }) => dev.client.delete(`${path}/consumers/default`)],
];

describe('an application’s stream ends, and hears nothing more, when', () => {
  it.each(ofApplications)('%s (claim: streams-end)', async (_, end) => {
    const of = await listening();
    const feed = await Feed.open(of.app.credentials, of.path);
    await post(of.team, 'heard');
    await feed.until(({ length }) => length === 1);
    expect((await end(of)).status).toBe(200);
    await post(of.team, 'a secret');
    await feed.ended();
    expect(feed.lines.join()).not.toContain('a secret');
  });

  it('not when a new secret leaves the old one an overlap', async () => {
    const of = await listening();
    const feed = await Feed.open(of.app.credentials, of.path);
    await rotate(of, 60);
    await post(of.team, 'heard');
    await feed.until(({ length }) => length === 1);
    expect(feed.lines.join()).toContain('message.posted');
    feed.close();
  });
});

it('a request that waits for events gives none once its secret has ended (claim: streams-end)', async () => {
  const of = await listening();
  const waiting = of.app.credentials.get(`${of.path}/events?wait=20`);
  await rotate(of, 0);
  await post(of.team, 'a secret');
  const answer = await waiting;
  expect([answer.status, answer.text.includes('a secret')]).toEqual([401, false]);
});

it('tokens that an application has for itself end with a secret without an overlap (claim: own-tokens-end)', async () => {
  const of = await listening();
  const ask = async (credentials: RegisteredApplication['credentials']) => {
    const form = { grant_type: 'client_credentials', team: of.team };
    const { body } = await credentials.ask('POST', '/v1/oauth2/token', { form });
    return server.anonymous().withToken(body.access_token);
  };
  const before = await ask(of.app.credentials);
  const list = `/v1/messages/${(await post(of.team, 'to read')).data[0].id}`;
  expect((await before.get(list)).status).toBe(200);
  await rotate(of, 60);
  expect((await before.get(list)).status).toBe(200);
  server.clock.advance(11);
  const { client_secret } = (await rotate(of, 0)).data[0];
  expect((await before.get(list)).status).toBe(401);
  const after = await ask(of.app.credentials.withCredentials(of.app.id, client_secret));
  expect((await after.get(list)).status).toBe(200);
});
