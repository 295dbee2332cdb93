import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Listening,
  type ListenOptions,
  ParleyApplication,
  ParleyError,
  type ParleyEvent,
  TokenError,
} from './index.ts';

/** A fake platform: it has subscriptions and streams, and the test says what they send. */
let subscriptions: {
  id: string;
  webhook: null;
  teams: null;
  mentions_only: boolean;
  object_type: null;
  kinds: string[];
}[];
let streams: ServerResponse[];
let acknowledged: string[];
let asked: string[];
/** Answers to interactions, each with the last part of its address. */
let answers: [of: string, body: object][];
/** Answers a request in place of the platform. */
let instead: ((route: string) => { status: number; body: object } | undefined) | undefined;
let waiting: (() => void)[];
let platform: ReturnType<typeof createServer>;
let baseUrl: string;
let app: ParleyApplication;
let listening: Listening | undefined;
const errors: unknown[] = [];

beforeEach(async () => {
  [subscriptions, streams, acknowledged, asked, waiting, answers] = [[], [], [], [], [], []];
  instead = undefined;
  listening = undefined;
  errors.length = 0;
  platform = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  app = new ParleyApplication({ baseUrl, clientId: 'app', clientSecret: 'secret' });
});

afterEach(async () => {
  await listening?.stop();
  platform.closeAllConnections();
  await new Promise((resolve) => platform.close(resolve));
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const body = text.startsWith('{') ? JSON.parse(text) : undefined;
  const route = `${request.method} ${request.url?.replace('/v1/applications/app/subscriptions', '')}`;
  asked.push(route);
  if (route.startsWith('POST /answers/')) answers.push([route.slice('POST /answers/'.length), body]);
  const other = instead?.(route);
  if (other) json(response, other.status, other.body);
  else if (route.includes('/stream?')) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('retry: 1\n\nevent: ready\ndata: {}\n\n');
    streams.push(response);
  } else if (route === 'POST ') {
    const made = {
      webhook: null,
      teams: null,
      mentions_only: false,
      object_type: null,
      ...body,
      created_at: 1,
    };
    subscriptions.push({ ...made, id: `subscription-${subscriptions.length + 1}` });
    json(response, 200, { data: subscriptions.slice(-1) });
  } else if (route.endsWith('/acknowledgements')) {
    acknowledged.push(...body.events);
    json(response, 200, { data: [] });
  } else json(response, 200, { data: subscriptions });
  for (const wake of waiting.splice(0)) wake();
}

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

/** Waits until something that requests or handlers change is as wanted. */
async function until(wanted: () => boolean): Promise<void> {
  while (!wanted()) await new Promise<void>((resolve) => waiting.push(resolve));
}

const event = (id: string, team = 'one', type = 'message.posted') => ({
  id,
  type,
  timestamp: '2026-01-01T00:00:00.000Z',
  data: { team, message: { id: `m-${id}`, text: id } },
});

const asks = (id: string, user: string, more: object = {}) => ({
  ...event(id, 'one', 'interaction'),
  data: {
    ...{ team: 'one', kind: 'command', id, user, command: 'holiday', text: '' },
    ...{ response_url: `${baseUrl}/answers/${id}`, ...more },
  },
});

const send = (...events: object[]) => {
  for (const one of events) {
    const { id, type } = one as ParleyEvent;
    streams.at(-1)?.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(one)}\n\n`);
  }
};

async function listen(options: ListenOptions = {}): Promise<void> {
  const onError = (error: unknown) => errors.push(error);
  listening = await app.listen({ retryAfterMs: [0, 0], onError, ...options });
}

describe('a stream', () => {
  it('hands events to their handlers in the order of their team, and acknowledges each after its handler', async () => {
    const begun: string[] = [];
    const hold = Promise.withResolvers<void>();
    app.on('message.posted', async ({ id }) => {
      begun.push(id);
      for (const wake of waiting.splice(0)) wake();
      if (id === '1') await hold.promise;
    });
    app.on('mention', ({ id, data }) => begun.push(`${id} ${data.message.text}`));
    await listen();
    send(event('1'), event('2', 'one', 'mention'), event('3', 'two'), event('4', 'two', 'member.joined'));
    await until(() => acknowledged.length === 2);
    expect([begun, acknowledged]).toEqual([
      ['1', '3'],
      ['3', '4'],
    ]);
    hold.resolve();
    await until(() => acknowledged.length === 4);
    expect([begun, acknowledged]).toEqual([
      ['1', '3', '2 2'],
      ['3', '4', '1', '2'],
    ]);
  });

  it('connects again when it ends, and does not handle again what comes again', async () => {
    const handled: string[] = [];
    app.on('message.posted', ({ id }) => handled.push(id));
    await listen();
    send(event('1'));
    await until(() => acknowledged.length === 1);
    streams[0]?.destroy();
    await until(() => streams.length === 2);
    send(event('1'), event('2'));
    await until(() => acknowledged.length === 3);
    streams[1]?.end();
    await until(() => streams.length === 3);
    expect([handled, acknowledged]).toEqual([
      ['1', '2'],
      ['1', '1', '2'],
    ]);
  });

  it('tries a handler again that throws, and gives an event up in the end', async () => {
    const handled: string[] = [];
    app.on('message.posted', ({ id }) => handled.push(`first ${id}`));
    app.on('message.posted', ({ id }) => {
      handled.push(`second ${id}`);
      if (id === 'bad' || handled.filter((one) => one === `second ${id}`).length === 1) throw new Error(id);
    });
    await listen();
    send(event('shy'), event('bad'), event('good'));
    await until(() => acknowledged.length === 3);
    expect(acknowledged).toEqual(['shy', 'bad', 'good']);
    // A handler that is through is not called again for the sake of another one.
    expect(handled.filter((one) => one.startsWith('first'))).toEqual([
      'first shy',
      'first bad',
      'first good',
    ]);
    expect(errors.map((error) => (error as Error).message)).toEqual(['shy', 'bad', 'bad', 'bad', 'good']);
  });

  it('ends after the handlers that run, and leaves the others to the next one', async () => {
    const begun: string[] = [];
    const hold = Promise.withResolvers<void>();
    app.on('message.posted', async ({ id }) => {
      begun.push(id);
      for (const wake of waiting.splice(0)) wake();
      await hold.promise;
    });
    await listen();
    send(event('1'), event('2'));
    await until(() => begun.length === 1);
    const stopped = listening?.stop();
    hold.resolve();
    await stopped;
    expect([begun, acknowledged]).toEqual([['1'], ['1']]);
  });

  it('makes one subscription, finds it again, and adds the kinds that it lacks', async () => {
    app.on('message.posted', () => undefined);
    await listen({ group: 'copies' });
    await listening?.stop();
    expect(asked).toEqual(['GET ', 'POST ', 'GET ', 'GET /subscription-1/stream?consumer=copies']);
    asked.length = 0;
    app.on('mention', () => undefined);
    await listen({ group: 'copies' });
    expect(asked).toEqual(['GET ', 'PATCH /subscription-1', 'GET /subscription-1/stream?consumer=copies']);
    expect(subscriptions).toMatchObject([{ kinds: ['message.posted'] }]);
  });

  it('makes another one when it is deleted meanwhile, and goes on after errors of the platform', async () => {
    app.on('message.posted', () => undefined);
    await listen();
    let failures = 0;
    instead = (route) => {
      if (failures === 0 && route.includes('/subscription-1/stream')) {
        failures += 1;
        subscriptions = [];
        return { status: 404, body: { errors: [{ code: 4040, message: 'There is no such thing' }] } };
      }
      if (failures === 1 && route.includes('/stream')) {
        failures += 1;
        return { status: 503, body: {} };
      }
      return undefined;
    };
    streams[0]?.destroy();
    await until(() => streams.length === 2);
    expect(asked.filter((route) => route.startsWith('POST'))).toHaveLength(2);
    expect(errors.map((error) => (error as { status?: number }).status).filter(Boolean)).toEqual([404, 503]);
  });

  it('is refused at once with wrong credentials, and without a handler', async () => {
    await expect(app.listen()).rejects.toThrow('call app.on() before');
    app.on('message.posted', () => undefined);
    instead = () => ({ status: 401, body: { errors: [{ code: 4010, message: 'Not authorized' }] } });
    const refused = app.listen();
    await expect(refused).rejects.toMatchObject({ status: 401, code: 4010 });
    await expect(refused).rejects.toThrow('check clientId (app) and clientSecret');
    expect(asked).toHaveLength(1);
  });

  it('is refused with wrong credentials also where the stream is all that it asks for', async () => {
    app.action('approve', () => undefined);
    instead = () => ({ status: 401, body: { errors: [{ code: 4010, message: 'Not authorized' }] } });
    await expect(app.listen()).rejects.toThrow('check clientId (app) and clientSecret');
  });

  it('says that events were missed', async () => {
    app.on('message.posted', () => undefined);
    let missed = 0;
    await listen({ onMissed: () => (missed += 1) });
    expect(missed).toBe(0);
    streams[0]?.write('event: reset\ndata: {}\n\n');
    send(event('1'));
    await until(() => acknowledged.length === 1);
    expect(missed).toBe(1);
  });
});

describe('what people do', () => {
  const refusal = (code: number, reason?: string) =>
    new ParleyError(Math.floor(code / 10), [{ code, message: 'No', ...(reason && { reason }) }]);

  /** A handler that notes each event, and holds the first one. */
  function holdingFirst() {
    const begun: string[] = [];
    const hold = Promise.withResolvers<void>();
    app.command('holiday', async ({ event: { id } }) => {
      begun.push(id);
      for (const wake of waiting.splice(0)) wake();
      if (id === '1') await hold.promise;
    });
    return { begun, hold };
  }

  it('waits for nobody else, and is acknowledged up to the first that is not through (claim: side-by-side)', async () => {
    const { begun, hold } = holdingFirst();
    await listen();
    send(asks('1', 'ada'), asks('2', 'ada'), asks('3', 'bob'), asks('4', 'carol'));
    // Bob and Carol are told at once: the acknowledgement waits for Ada.
    await until(() => answers.length === 2);
    expect([begun, answers, acknowledged]).toEqual([
      ['1', '3', '4'],
      [
        ['3', {}],
        ['4', {}],
      ],
      [],
    ]);
    hold.resolve();
    await until(() => acknowledged.length === 4);
    expect([begun, acknowledged]).toEqual([
      ['1', '3', '4', '2'],
      ['1', '2', '3', '4'],
    ]);
    expect(answers).toHaveLength(2);
  });

  it('runs eight handlers at once', async () => {
    let running = 0;
    let most = 0;
    const hold = Promise.withResolvers<void>();
    app.command('holiday', async () => {
      running += 1;
      most = Math.max(most, running);
      for (const wake of waiting.splice(0)) wake();
      await hold.promise;
      running -= 1;
    });
    await listen();
    send(...Array.from({ length: 20 }, (_, index) => asks(`${index}`, `user ${index}`)));
    await until(() => running === 8);
    hold.resolve();
    await until(() => acknowledged.length === 20);
    expect(most).toBe(8);
  });

  it('is done that was begun before a later one, when the program ends', async () => {
    const { begun, hold } = holdingFirst();
    await listen();
    send(asks('1', 'ada'), asks('2', 'ada'), asks('3', 'bob'), asks('4', 'ada'));
    await until(() => answers.length === 1);
    const stopped = listening?.stop();
    hold.resolve();
    await stopped;
    expect([begun, acknowledged]).toEqual([
      ['1', '3', '2'],
      ['1', '2', '3'],
    ]);
  });

  it('is not tried again where the platform refused for good: its person is told (claim: refused-for-good)', async () => {
    const tried: string[] = [];
    const thrown: Readonly<Record<string, unknown>> = {
      late: refusal(4090, 'form_late'),
      closed: refusal(4090, 'form_closed'),
      blocked: refusal(4030, 'application_blocked'),
      wrong: refusal(4002, 'form.title'),
      token: new TokenError('invalid_scope', 400),
      busy: refusal(4290, 'application'),
      twice: refusal(4090, 'in_progress'),
      fault: refusal(5000),
      proxy: new ParleyError(404, []),
    };
    app.command('holiday', ({ event: { id } }) => {
      tried.push(id);
      throw thrown[id];
    });
    await listen({ retryAfterMs: [0] });
    send(...Object.keys(thrown).map((id) => asks(id, id)));
    await until(() => acknowledged.length === 9);
    const again = ['busy', 'twice', 'fault', 'proxy'];
    expect(tried.toSorted()).toEqual([...Object.keys(thrown), ...again].sort());
    // All are told, after the last attempt and before the acknowledgement.
    expect(answers.toSorted()).toEqual(
      Object.keys(thrown)
        .sort()
        .map((id) => [id, { failed: true }]),
    );
    expect(errors).toHaveLength(13);
  });

  it('fails where no handler is for it, and where errors name no block of the form', async () => {
    app.view('holiday', ({ respond }) => respond.errors({ nothing: 'Is wrong' }));
    const unknown = {
      status: 400,
      body: { errors: [{ code: 4002, message: 'No', reason: 'errors.nothing' }] },
    };
    instead = (route) => {
      const isFirst = route === 'POST /answers/form' && answers.length === 1;
      return isFirst ? unknown : undefined;
    };
    await listen();
    send(asks('form', 'ada', { kind: 'form', form: { callback_id: 'holiday' }, state: {} }));
    await until(() => acknowledged.length === 1);
    send(asks('command', 'ada'), asks('closed', 'ada', { kind: 'form_closed', form: { callback_id: 'x' } }));
    await until(() => acknowledged.length === 3);
    expect(answers).toEqual([
      ['form', { errors: { nothing: 'Is wrong' } }],
      ['form', { failed: true }],
      ['command', { failed: true }],
    ]);
    expect(errors.map(String)).toEqual([
      'ParleyError: errors.nothing: No (4002)',
      "UnknownActionError: No handler is for the command /holiday: app.command('holiday', …)",
      "UnknownActionError: No handler is for the closed form x: app.viewClosed('x', …)",
    ]);
  });

  it('fails by the handler itself, with a reason for its person alone', async () => {
    app.command('holiday', ({ text, respond }) => respond.failed(text || undefined));
    await listen();
    send(asks('1', 'ada'), asks('2', 'ada', { text: 'The calendar is closed' }));
    await until(() => acknowledged.length === 2);
    expect(answers).toEqual([
      ['1', { failed: true }],
      ['2', { text: 'The calendar is closed', failed: true, ephemeral: true }],
    ]);
  });

  it('is given up once, also when it comes again', async () => {
    let tried = 0;
    app.command('holiday', () => {
      tried += 1;
      throw refusal(4040);
    });
    await listen();
    send(asks('1', 'ada'));
    await until(() => acknowledged.length === 1);
    streams[0]?.destroy();
    await until(() => streams.length === 2);
    send(asks('1', 'ada'));
    await until(() => acknowledged.length === 2);
    expect([tried, answers]).toEqual([1, [['1', { failed: true }]]]);
  });
});

describe('an application', () => {
  it('names the setting that is missing', async () => {
    const options = { baseUrl, clientId: 'app', clientSecret: 'secret' };
    const made = (more: object) => () => new ParleyApplication({ ...options, ...more });
    expect(made({ baseUrl: undefined })).toThrow('baseUrl is missing');
    expect(made({ clientId: '' })).toThrow('clientId is missing');
    expect(made({ clientSecret: '' })).toThrow('clientSecret is empty');
    expect(made({ baseUrl: 'localhost' })).toThrow('localhost is no address');
    expect(made({ baseUrl: 'localhost:3000' })).toThrow('localhost:3000 is no address');
    const open = new ParleyApplication({ baseUrl, clientId: 'app' }).on('mention', () => undefined);
    await expect(open.listen()).rejects.toThrow('needs a clientSecret');
    expect(asked).toEqual([]);
  });

  it('says which scope, team or credentials to check where it gets no token', async () => {
    const said = async (error: string) => {
      instead = () => ({ status: 400, body: { error } });
      const refused = await app
        .inTeam('red')
        .writeTo('ada', 'x')
        .then(String, (thrown) => thrown);
      expect(refused).toBeInstanceOf(ParleyError);
      expect(refused).toMatchObject({ error, reason: error, status: 400, code: undefined });
      return refused.message;
    };
    expect(await said('invalid_target')).toBe(
      'OAuth: invalid_target: the team red does not have the application installed',
    );
    expect(await said('invalid_scope')).toContain('team red grant a scope');
    expect(await said('invalid_client')).toContain('check clientId (app) and clientSecret');
    expect(await said('slow_down')).toBe('OAuth: slow_down');
  });
});

describe('a webhook', () => {
  const key = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  let receiver: ReturnType<typeof createServer>;

  async function receive(keys: string | string[] = key): Promise<void> {
    receiver = createServer(app.webhook({ key: keys, onError: (error) => errors.push(error) }));
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  }
  afterEach(() => receiver?.close());

  async function call(body: string, { by = key, at = new Date(), headers = {} } = {}): Promise<number> {
    const signature = new Webhook(by).sign('call', at, body);
    const response = await fetch(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`, {
      method: 'POST',
      body,
      headers: {
        'webhook-id': 'call',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signature,
        ...headers,
      },
    });
    await response.text();
    return response.status;
  }

  it('hands one event and a list to the same handlers, and nothing twice', async () => {
    const handled: string[] = [];
    app.on('message.posted', ({ data }) => handled.push(data.message.text ?? ''));
    await receive();
    expect(await call(JSON.stringify(event('ä')))).toBe(204);
    expect(await call(JSON.stringify([event('ä'), event('2'), event('3', 'two', 'mention')]))).toBe(204);
    expect(handled).toEqual(['ä', '2']);
  });

  it('takes calls that either of two keys signed, and no others', async () => {
    const handled: string[] = [];
    app.on('message.posted', ({ id }) => handled.push(id));
    const old = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    await receive([old, key]);
    const body = JSON.stringify(event('1'));
    expect([await call(body), await call(body, { by: old })]).toEqual([204, 204]);
    const late = new Date(Date.now() - 301_000);
    const stranger = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    expect(await call(JSON.stringify(event('2')), { by: stranger })).toBe(401);
    expect(await call(JSON.stringify(event('2')), { at: late })).toBe(401);
    expect(await call(JSON.stringify(event('2')), { headers: { 'webhook-id': 'another' } })).toBe(401);
    expect(await call(JSON.stringify(event('2')), { headers: { 'webhook-signature': '' } })).toBe(401);
    expect([handled, errors]).toEqual([['1'], []]);
  });

  it('answers 500 while a handler throws, and goes on with that event when the call is repeated', async () => {
    const handled: string[] = [];
    app.on('message.posted', ({ id }) => {
      handled.push(id);
      if (id === '2' && handled.length === 2) throw new Error('not yet');
    });
    await receive();
    const body = JSON.stringify([event('1'), event('2'), event('3')]);
    expect([await call(body), await call(body)]).toEqual([500, 204]);
    expect(handled).toEqual(['1', '2', '2', '3']);
    expect(errors).toMatchObject([{ message: 'not yet' }]);
  });

  it('takes no empty key: with one, anybody could sign', () => {
    for (const wrong of ['', 'whsec_', 'secret', []])
      expect(() => app.webhook({ key: wrong })).toThrow('whsec_');
  });

  it('refuses other methods, and says what is wrong when a body parser came first', async () => {
    await receive();
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    expect((await fetch(url)).status).toBe(405);
    const statuses: number[] = [];
    const handler = app.webhook({ key, onError: (error) => errors.push(error) });
    const response = { writeHead: (status: number) => statuses.push(status), end: () => undefined };
    const parsed = { method: 'POST', headers: {}, body: {}, async *[Symbol.asyncIterator]() {} };
    await handler(parsed, response);
    expect(statuses).toEqual([500]);
    expect(errors).toMatchObject([{ message: expect.stringContaining('before a body parser') }]);
  });
});
