import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ActionContext, blocks, ParleyApplication, UnknownActionError } from './index.ts';

const key = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
/** The requests that reached the platform. */
let asked: { route: string; authorization: string | undefined; body: string }[];
/** The status with which the platform refuses. */
let refuses: number | undefined;
let platform: ReturnType<typeof createServer>;
let baseUrl: string;
let app: ParleyApplication;
let errors: unknown[];

beforeEach(async () => {
  [asked, errors, refuses] = [[], [], undefined];
  platform = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const route = `${request.method} ${request.url}`;
    const { authorization } = request.headers;
    asked.push({ route, authorization, body: Buffer.concat(chunks).toString() });
    const answer = refuses
      ? { errors: [{ code: refuses * 10, message: 'Not allowed', reason: 'used_up' }] }
      : { access_token: 'own', data: [{ id: 'message' }] };
    response.writeHead(refuses ?? 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  app = new ParleyApplication({ baseUrl, clientId: 'app', clientSecret: 'secret' });
});

afterEach(async () => {
  platform.closeAllConnections();
  await new Promise((resolve) => platform.close(resolve));
});

const event = (action_id: string, more: object = {}) => ({
  id: `event-${action_id}`,
  type: 'interaction',
  timestamp: '2026-01-01T00:00:00.000Z',
  data: {
    ...{ team: 'team', kind: 'action', id: 'click', message: { id: 'message' }, user: 'ada' },
    ...{ block_id: 'block', action_id, state: {}, ...more },
  },
});

/** Calls the webhook as the platform does. @returns the status of its answer */
async function click(...events: object[]): Promise<number> {
  const body = JSON.stringify(events);
  const at = new Date();
  const statuses: number[] = [];
  const headers = {
    'webhook-id': 'call',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('call', at, body),
  };
  const request = { method: 'POST', headers, body: Buffer.from(body), async *[Symbol.asyncIterator]() {} };
  const handle = app.webhook({ key, onError: (error) => errors.push(error) });
  await handle(request, { writeHead: (status) => statuses.push(status), end: () => undefined });
  return statuses[0] as number;
}

describe('app.offer', () => {
  const asks = (more: object = {}) =>
    event('task', { kind: 'options', value: 'hall', response_url: `${baseUrl}/answer`, ...more });

  it('sends options or groups, and is no handler of clicks', async () => {
    app.offer('task', ({ value }) => [value, blocks.option('Attic', 'a')]);
    app.offer('room', () => [blocks.group('Indoors', ['Hall'])]);
    expect(await click(asks(), { ...asks({ action_id: 'room' }), id: 'other' })).toBe(204);
    expect(asked.map(({ route, body }) => [route, JSON.parse(body)])).toEqual([
      ['POST /answer', { options: [blocks.option('hall'), blocks.option('Attic', 'a')] }],
      ['POST /answer', { option_groups: [blocks.group('Indoors', ['Hall'])] }],
    ]);
    await click({ ...event('task'), id: 'a-click' });
    expect(errors).toEqual([expect.any(UnknownActionError)]);
  });

  it('gives up when nobody waits any more, and tries again after other errors', async () => {
    let calls = 0;
    app.offer('task', () => {
      calls += 1;
      return ['Hall'];
    });
    refuses = 503;
    expect(await click(asks())).toBe(500);
    refuses = undefined;
    expect(await click(asks())).toBe(204);
    expect(calls).toBe(2);
    refuses = 404;
    expect(await click({ ...asks(), id: 'late' })).toBe(204);
    expect(calls).toBe(3);
  });
});

describe('app.action', () => {
  it('hands a click to the first handler that fits, by action and by block', async () => {
    const handled: string[] = [];
    const note = (name: string) => (context: ActionContext) =>
      handled.push(`${name} ${context.action.action_id} ${context.value ?? context.values}`);
    app.action('approve', note('exact'));
    app.action({ action_id: 'approve', block_id: 'other' }, note('late'));
    app.action({ block_id: /^poll-/ }, note('block'));
    app.action(/^vote-\d+$/g, note('pattern'));
    app.action({ action_id: 'menu', block_id: 'block' }, note('both'));
    expect(app.kinds).toEqual(['interaction']);
    const clicks = [
      event('approve', { value: '7' }),
      event('x', { block_id: 'poll-1', values: ['a', 'b'] }),
      event('vote-1'),
      event('vote-2'),
      event('menu'),
    ];
    expect(await click(...clicks)).toBe(204);
    expect(handled).toEqual([
      'exact approve 7',
      'block x a,b',
      'pattern vote-1 undefined',
      'pattern vote-2 undefined',
      'both menu undefined',
    ]);
    expect(errors).toEqual([]);
  });

  it('tells who clicked where, and what the message holds', async () => {
    let told: ActionContext | undefined;
    app.action('approve', (context) => {
      told = context;
    });
    await click(event('approve', { state: { why: { text: 'Sun' } } }));
    expect(told).toMatchObject({
      ...{ user: 'ada', team: 'team', message: { id: 'message' } },
      ...{ action: { action_id: 'approve', block_id: 'block' }, state: { why: { text: 'Sun' } } },
    });
    expect(told?.bot).toBe(app.inTeam('team'));
  });

  it('handles a click that comes twice one time, also while its handler runs (claim: click-handled-once)', async () => {
    let count = 0;
    const hold = Promise.withResolvers<void>();
    app.action('approve', async () => {
      count += 1;
      await hold.promise;
    });
    const both = [click(event('approve')), click(event('approve'))];
    hold.resolve();
    expect(await Promise.all(both)).toEqual([204, 204]);
    expect([await click(event('approve')), count]).toEqual([204, 1]);
  });

  it('has a click sent again whose handler throws', async () => {
    let count = 0;
    app.action('approve', () => {
      count += 1;
      if (count === 1) throw new Error('not yet');
    });
    expect([await click(event('approve')), await click(event('approve')), count]).toEqual([500, 204, 2]);
    expect(errors).toMatchObject([{ message: 'not yet' }]);
  });

  it('tells one time of an action that no handler is for (claim: click-handled-once)', async () => {
    app.action('approve', () => undefined);
    expect([await click(event('refuse')), await click(event('refuse'))]).toEqual([204, 204]);
    expect(errors).toEqual([expect.any(UnknownActionError)]);
    expect(errors).toMatchObject([{ action_id: 'refuse', block_id: 'block' }]);
    app.on('interaction', () => undefined);
    expect(await click(event('postpone'))).toBe(204);
    expect(errors).toHaveLength(1);
  });
});

describe('an answer', () => {
  const approved = [blocks.header('Approved')];
  const answering = (run: (context: ActionContext) => Promise<unknown>, more: object = {}) => {
    app.action('approve', run);
    return click(event('approve', more));
  };

  it.each(['replace', 'append', 'reply', 'ephemeral'] as const)(
    'by respond.%s goes to the address of the click, without credentials',
    async (way) => {
      const address = '/v1/responses/secret';
      expect(
        await answering(({ respond }) => respond[way]('Done'), { response_url: baseUrl + address }),
      ).toBe(204);
      expect(asked).toEqual([
        { route: `POST ${address}`, authorization: undefined, body: `{"text":"Done","${way}":true}` },
      ]);
      asked = [];
      app.action('next', ({ respond }) => respond[way]({ blocks: approved }));
      await click(event('next', { response_url: baseUrl + address }));
      expect(asked.map(({ body }) => JSON.parse(body))).toEqual([{ blocks: approved, [way]: true }]);
    },
  );

  it('that the platform refuses is an error with its code, and fails', async () => {
    refuses = 403;
    const address = `${baseUrl}/v1/responses/x`;
    const status = await answering(({ respond }) => respond.reply('x'), { response_url: address });
    expect(status).toBe(204);
    expect(asked.map(({ body }) => JSON.parse(body))).toEqual([{ text: 'x', reply: true }, { failed: true }]);
    expect(errors).toMatchObject([{ code: 4030, reason: 'used_up' }]);
  });
});
