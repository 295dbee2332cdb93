import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ParleyApplication, ParleyUser, type Tokens } from './index.ts';

interface Received {
  readonly route: string;
  readonly key: string | undefined;
  readonly token: string | undefined;
  readonly form: URLSearchParams;
}

type Reply = { status: number; body: unknown; headers?: Record<string, string> };

/** A fake platform whose answers the test sets. */
const received: Received[] = [];
let reply: (call: Received) => Reply;
const server = createServer(async (request, response) => {
  const call = await read(request);
  received.push(call);
  const { status, body, headers = {} } = reply(call);
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
});
let application: ParleyApplication;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  application = new ParleyApplication({
    baseUrl,
    clientId: 'id',
    clientSecret: 'secret',
    redirectUri: 'uri',
  });
});
afterAll(() => server.close());
beforeEach(() => received.splice(0));

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    route: `${request.method} ${request.url}`,
    key: request.headers['idempotency-key'] as string | undefined,
    token: request.headers.authorization?.split(' ')[1],
    form: new URLSearchParams(Buffer.concat(chunks).toString('utf8')),
  };
}

const pair = (number: number): Tokens => ({
  access_token: `access-${number}`,
  refresh_token: `refresh-${number}`,
  token_type: 'Bearer',
  expires_in: 3600,
});
const later = { status: 503, body: { errors: [] }, headers: { 'Retry-After': '0' } };
const data = (...items: unknown[]): Reply => ({ status: 200, body: { data: items } });
const expired: Reply = {
  status: 401,
  body: { errors: [{ message: 'OAuth authorization error.', code: 4012, reason: 'access_denied' }] },
};

it('a change is done, and answered without the message, where the token may write and not read', async () => {
  reply = () => data();
  const user = new ParleyUser(application, 'narrow');
  const done = [user.editMessage('m', 'x'), user.react('m', '👍'), user.giveHighFive('m')];
  expect(await Promise.all(done)).toEqual([undefined, undefined, undefined]);
  // Nothing in the place of what has to be there is no answer of the platform.
  await expect(user.message('m')).rejects.toMatchObject({ name: 'ParleyError', errors: [] });
});

describe('the application as itself', () => {
  const asked = () => received.filter(({ route }) => route === 'POST /v1/oauth2/token');

  it('gets one token for calls at the same time, and the next one when it has ended', async () => {
    let number = 1;
    reply = ({ route, token }) => {
      if (route === 'POST /v1/oauth2/token') return { status: 200, body: { access_token: `own-${number}` } };
      return token === `own-${number}` ? data({ id: 'posted' }) : expired;
    };
    const bot = application.inTeam('team-1');
    const message = { text: 'hello', addressed_teams: ['team-1'] };
    await Promise.all([
      bot.postMessage(message),
      bot.message('m'),
      application.inTeam('team-1').message('m'),
    ]);
    expect(asked().map(({ form }) => Object.fromEntries(form))).toEqual([
      { grant_type: 'client_credentials', team: 'team-1' },
    ]);
    number = 2;
    await Promise.all([bot.message('m'), bot.message('m')]);
    expect(asked()).toHaveLength(2);
  });

  it('asks again after a refusal: the team may install it later', async () => {
    reply = () => ({ status: 400, body: { error: 'invalid_target' } });
    const bot = application.inTeam('team-2');
    await expect(bot.message('m')).rejects.toMatchObject({ name: 'TokenError', error: 'invalid_target' });
    reply = ({ route }) =>
      route === 'POST /v1/oauth2/token' ? { status: 200, body: { access_token: 'own' } } : data({ id: 'm' });
    expect(await bot.message('m')).toEqual({ id: 'm' });
  });
});

describe('an access token that has expired', () => {
  let stored = pair(1);
  const store = {
    load: () => stored,
    save: (tokens: Tokens) => {
      stored = tokens;
    },
  };
  const refreshes = () => received.filter(({ route }) => route === 'POST /v1/oauth2/token');

  beforeEach(() => {
    stored = pair(1);
    reply = ({ route, token }) => {
      if (route === 'POST /v1/oauth2/token') return { status: 200, body: pair(2) };
      return token === 'access-2' ? data({ id: 'me' }) : expired;
    };
  });

  it('is refreshed once for concurrent requests, and the new pair is stored', async () => {
    const users = [new ParleyUser(application, store), new ParleyUser(application, store)];
    const answers = await Promise.all([...users, ...users].map((user) => user.me()));
    expect(answers).toEqual(Array.from({ length: 4 }, () => ({ id: 'me' })));
    expect(refreshes().map(({ form }) => form.get('refresh_token'))).toEqual(['refresh-1']);
    expect(stored).toEqual(pair(2));
  });

  it('is not refreshed by a late request: the store has the new one', async () => {
    const user = new ParleyUser(application, store);
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const answer = reply;
    reply = (call) => {
      // Another process refreshes it during this request.
      if (call.token === 'access-1') stored = pair(2);
      resolve();
      return answer(call);
    };
    expect(await user.me()).toEqual({ id: 'me' });
    await asked;
    expect(refreshes()).toEqual([]);
  });

  it('ends in a TokenError when the refresh token is of no use', async () => {
    reply = ({ route }) =>
      route === 'POST /v1/oauth2/token' ? { status: 400, body: { error: 'invalid_grant' } } : expired;
    await expect(new ParleyUser(application, store).me()).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(stored).toEqual(pair(1));
  });

  it('is refreshed again only while the old refresh token is good, should every answer be lost', async () => {
    const graceMs = 10_000;
    let waitedMs = 0;
    const begun: number[] = [];
    // Each attempt seems to take all the time that it may.
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      begun.push(waitedMs);
      waitedMs += ms + 1000;
      return new AbortController().signal;
    });
    onTestFinished(() => timeout.mockRestore());
    reply = () => later;
    await expect(application.refresh('refresh-1')).rejects.toMatchObject({ status: 503 });
    expect(begun).toHaveLength(3);
    expect(begun.at(-1)).toBeLessThan(graceMs);
  });

  it('is the caller’s to know about when there is no store', async () => {
    await expect(new ParleyUser(application, 'access-1').me()).rejects.toMatchObject({ code: 4012 });
    expect(refreshes()).toEqual([]);
  });
});

describe('an answer that says to come later', () => {
  const user = () => new ParleyUser(application, 'access-1');

  it('is heeded: a post is sent again under the same key', async () => {
    reply = () => (received.length < 3 ? later : data({ id: 'message' }));
    expect(await user().postMessage({ text: 'x', addressed_users: ['y'] })).toEqual({ id: 'message' });
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ key }) => key)).size).toBe(1);
    expect(received[0]?.key).toBeTruthy();
  });

  it('is passed on in the end', async () => {
    reply = () => later;
    await expect(user().me()).rejects.toMatchObject({ status: 503 });
    expect(received).toHaveLength(3);
  });

  it('is passed on at once when it is long', async () => {
    reply = () => ({ status: 429, body: { errors: [] }, headers: { 'Retry-After': '60' } });
    await expect(user().me()).rejects.toMatchObject({ status: 429 });
    expect(received).toHaveLength(1);
  });

  it('is passed on for a code: a repeated code revokes its tokens', async () => {
    reply = () => ({
      status: 503,
      body: { error: 'temporarily_unavailable' },
      headers: { 'Retry-After': '0' },
    });
    await expect(application.exchangeCode('code')).rejects.toMatchObject({ status: 503 });
    expect(received).toHaveLength(1);
  });
});

it('a platform that is not there, or says nothing, is named with the reason', async () => {
  const gone = createServer((request) => request.socket.destroy());
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
  const options = { clientId: 'id', clientSecret: 'secret', redirectUri: 'uri' };
  const call = (at: string) => new ParleyApplication({ ...options, baseUrl: at }).exchangeCode('code');
  await expect(call(baseUrl)).rejects.toThrow(new TypeError(`cannot reach ${baseUrl}: UND_ERR_SOCKET`));
  await new Promise((resolve) => gone.close(resolve));
  await expect(call(baseUrl)).rejects.toThrow(new TypeError(`cannot reach ${baseUrl}: ECONNREFUSED`));
  const ended = AbortSignal.abort(new DOMException('The operation was aborted', 'TimeoutError'));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ended);
  onTestFinished(() => timeout.mockRestore());
  const late = call(baseUrl);
  await expect(late).rejects.toThrow(`${baseUrl} did not answer in time`);
  await expect(late).rejects.toMatchObject({ name: 'TimeoutError' });
});
