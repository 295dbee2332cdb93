import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { allPlaced, subscribe } from '../support/feed.ts';
import { newFolder } from '../support/folder.ts';
import { install, makeTeam, openForCode, type Received, register, signUp } from '../support/people.ts';
import { root } from '../support/process.ts';
import { hasPython } from '../support/python.ts';
import { scene } from '../support/scene.ts';

const { server, host, ada, bob } = scene({ people: ['Ada', 'Bob'] });

/** Forwards to the server; the answer to the first request for which `loses` says so gets lost. @returns its address */
async function losing(loses: (body: string) => boolean): Promise<string> {
  let isLost = false;
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    const answer = await fetch(`${server.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      signal: abort.signal,
      ...(body.length > 0 && { body }),
    });
    if (!isLost && loses(body.toString())) {
      isLost = true;
      await answer.arrayBuffer();
      return void request.socket.destroy();
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body)
      Readable.fromWeb(answer.body as never)
        .on('error', () => response.destroy())
        .pipe(response);
    else response.end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

it.skipIf(!hasPython)(
  'the client for Python signs in, posts, reads, uploads, hears and verifies',
  async () => {
    const team = await makeTeam(ada, [bob]);
    const application = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
    await install(ada, team, application);
    const installed = await host.next(
      ({ path, raw }) => path === '/install' && raw.includes(application.secret),
    );
    const { key } = await subscribe(application, { webhook: { url: `${host.url}/events` } });
    await bob.client.post('/v1/messages', { text: 'Ahoi, Öl!', addressed_teams: [team] });
    const called = await host.next(({ path }) => path === '/events');
    await allPlaced(server);

    const folder = newFolder();
    cpSync(join(root, 'sdk/python/parley.py'), join(folder, 'parley.py'));
    cpSync(join(root, 'test/fixtures/python-application.py.txt'), join(folder, 'application.py'));
    const sent = ({ headers, raw }: Received) => ({ headers, raw });
    const child = spawn('python3', ['-W', 'error', 'application.py'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PYTHONIOENCODING: 'utf-8',
        PARLEY: `${await losing((body) => body.includes('lost 1'))}/`,
        CLIENT_ID: application.id,
        CLIENT_SECRET: application.secret,
        REDIRECT_URI: application.redirectUri,
        CODE: await openForCode(ada, team, application),
        TEAM: team,
        INSTALL: JSON.stringify(sent(installed)),
        CALL: JSON.stringify({ ...sent(called), key }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [output, complaints] = ['', ''];
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (complaints += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    rmSync(folder, { recursive: true });
    expect(code, complaints).toBe(0);
    expect(JSON.parse(output)).toEqual({
      introspected: [true, false],
      me: 'Ada',
      saved: [true],
      pages: ['Ahoi, Öl!', 'lost 1', 'number 2', 'number 3'],
      found: ['number 3', 'number 2'],
      connections: 0,
      again: true,
      file: ['Brötchen "klein".txt', 'Flour, butter, salt'],
      versions: ['lost 1'],
      fives: 1,
      teams: [true],
      objects: [true],
      refused: [404, 4040],
      reason: [4008, 'elsewhere'],
      token_error: 'invalid_grant',
      stranger: Array(2).fill('Not authorized (4010): check client_id (id) and client_secret'),
      itself: ['application', 'by itself'],
      later: ['sooner', 'UTC'],
      sent: ['sent', 'sooner'],
      left: ['sent'],
      no_zone: 'The time needs its zone: tzinfo=ZoneInfo(...)',
      events: [['event 0', 'event 1', 'event 2'], 0],
      streamed: ['event 0', 'event 1', 'event 1', 'event 2'],
      unknown: 4040,
      installed: true,
      called: 'Ahoi, Öl!',
      forged: [
        'the signature is wrong',
        'the call is too old, or from the future',
        'the signature is wrong',
        'the header webhook-signature is missing',
      ],
      no_key: 'give the key of ',
    });
  },
);

it.skipIf(!hasPython)(
  'the client for Python builds blocks, and hands a click to its handler: again when it raises, and once when it comes twice',
  async () => {
    const team = await makeTeam(bob);
    const scopes = ['messages:read', 'messages:write'];
    const application = await register(bob, host, {
      ...{ name: 'Holidays', scopes },
      has_home: true,
      commands: [
        { name: 'standup', description: 'Say what you do' },
        { name: 'holiday', description: 'Ask for a holiday' },
      ],
      shortcuts: [{ action_id: 'bug', name: 'File a bug', on: 'message' }],
    });
    await install(bob, team, application);
    const folder = newFolder();
    cpSync(join(root, 'sdk/python/parley.py'), join(folder, 'parley.py'));
    cpSync(join(root, 'test/fixtures/python-clicks.py.txt'), join(folder, 'clicks.py'));
    const child = spawn('python3', ['-W', 'error', 'clicks.py'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PYTHONIOENCODING: 'utf-8',
        PARLEY: server.url,
        CLIENT_ID: application.id,
        CLIENT_SECRET: application.secret,
        TEAM: team,
        WHO: bob.id,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaints = '';
    child.stderr.on('data', (chunk) => (complaints += chunk));
    const ended = new Promise((resolve) => child.once('close', resolve));
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (lines.length > 1) break;
      const question = { block_id: 'ask', action_id: 'task', value: 'hall' };
      const offered = async () =>
        (await bob.client.post(`/v1/messages/${line}/options`, question)).data[0].option_groups;
      await expect.poll(offered).toMatchObject([{ options: [{ value: '7' }, { value: 'Sweep' }] }]);
      const click = () => randomUUID();
      await bob.client.post(`/v1/teams/${team}/commands`, { text: '/standup wrote tests', click: click() });
      const chosen = { application: application.id, action_id: 'bug', message: line };
      await bob.client.post(`/v1/teams/${team}/shortcuts`, { ...chosen, click: click() });
      const opening = { text: '/holiday', click: click() };
      const form = async () =>
        (await bob.client.post(`/v1/teams/${team}/commands`, opening)).data[0].form as string;
      await expect.poll(form).toBeDefined();
      const path = `/v1/forms/${await form()}`;
      const sent = { hash: (await bob.client.get(path)).data[0].hash, state: { why: { text: 'no' } } };
      await bob.client.post(`${path}/submission`, sent);
      await expect.poll(async () => (await bob.client.get(path)).data[0].errors).toEqual({ why: 'Say why' });
      const home = `/v1/applications/${application.id}/home`;
      await bob.client.post(`${home}/openings?team=${team}`, { click: click() });
      await expect
        .poll(async () => (await bob.client.get(`${home}?team=${team}`)).data[0].blocks)
        .toMatchObject([{ text: { text: `Tasks of ${bob.id}` } }]);
      for (const action_id of ['approve', 'refuse'])
        await bob.client.post(`/v1/messages/${line}/interactions`, {
          ...{ block_id: 'ask', action_id, click: randomUUID() },
          state: {},
        });
    }
    expect(await ended, complaints).toBe(0);
    rmSync(folder, { recursive: true });
    const [{ username }] = (await bob.client.get('/v1/users/me')).data;
    expect(JSON.parse(lines[1] ?? 'null')).toEqual({
      command: ['standup', 'wrote tests', true],
      shortcut: ['bug', true],
      form: ['7', 'no'],
      values: [
        ['7', {}],
        ['7', {}],
      ],
      errors: [
        ['ValueError', 'not yet'],
        ['UnknownAction', 'no handler is for the action refuse'],
      ],
      untried: [],
      checked: true,
      escaped: '&lt;@\u2060ada&gt; [x]\u2060(https:\u2060//evil) 10:30 :\u2060tada:\u2060',
      answered: `Approved by @${username}`,
      subscriptions: [
        ['interaction', 'application.opened', 'direct.posted', 'direct.edited', 'direct.deleted'],
      ],
      again: [[true, true, true, true, true, true, true, false], 2],
    });
    const told = await bob.client.get(`/v1/users/me/ephemeral_answers?team=${team}`);
    expect(told.data.map(({ text }) => text)).toEqual(['Filed', 'Thank you']);
  },
);

it.skipIf(!hasPython)('the client for Python is one file whose types name nothing that is not there', () => {
  const names = `
import typing, sys
sys.path.insert(0, 'sdk/python')
import parley
for name, value in list(vars(parley).items()):
    if isinstance(value, type) and value.__module__ == 'parley':
        if sys.version_info >= (3, 10): typing.get_type_hints(value)
        for method in vars(value).values():
            if callable(method) and sys.version_info >= (3, 10): typing.get_type_hints(method)
print('ok')`;
  const { stdout, stderr } = spawnSync('python3', ['-B', '-c', names], { cwd: root, encoding: 'utf8' });
  expect(stdout, stderr).toBe('ok\n');
});

it.skipIf(!hasPython)('the client for Python names the server that it cannot reach', async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
  await new Promise((resolve) => gone.close(resolve));
  const call = `
import sys
sys.path.insert(0, 'sdk/python')
from parley import Application
try:
    Application('${address}', 'id', 'secret').post_subscriptions({'kinds': ['mention']})
except ConnectionError as error:
    print(error)`;
  const { stdout, stderr } = spawnSync('python3', ['-B', '-c', call], { cwd: root, encoding: 'utf8' });
  expect(stdout, stderr).toContain(`cannot reach ${address}: `);
});

it.skipIf(!hasPython)('the client for Python answers what people write to it, and writes first', async () => {
  // The teams of the others are counted by another test.
  const [dan, finn] = [await signUp(server, 'Dan'), await signUp(server, 'Finn')];
  const team = await makeTeam(dan, [finn]);
  const application = await register(dan, host, { scopes: ['direct:app'] });
  await install(dan, team, application);
  const stranger = await signUp(server, 'Eve');
  const folder = newFolder();
  cpSync(join(root, 'sdk/python/parley.py'), join(folder, 'parley.py'));
  cpSync(join(root, 'test/fixtures/python-direct.py.txt'), join(folder, 'direct.py'));
  const child = spawn('python3', ['-W', 'error', 'direct.py'], {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH, PYTHONIOENCODING: 'utf-8', PARLEY: server.url },
      ...{ CLIENT_ID: application.id, CLIENT_SECRET: application.secret },
      ...{ TEAM: team, WHO: finn.id, STRANGER: stranger.id },
    },
  });
  let errors = '';
  child.stderr.on('data', (part) => (errors += part));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: first } = await lines.next();
  const to = { addressed_application: application.id, team };
  await finn.client.post('/v1/messages', { text: 'hello', ...to });
  await finn.client.post(`/v1/messages/${first}/replies`, { text: 'below' });
  const { value: printed = '' } = await lines.next();
  expect(errors).toBe('');
  expect(JSON.parse(printed)).toEqual({
    heard: [
      ['hello', true],
      ['hello', true],
      ['below', true],
    ],
    errors: ['not yet'],
    again: true,
    history: ['You said: hello', 'hello', 'Welcome'],
    replies: ['below', 'You said: below'],
    stranger: 4008,
  });
});

it.skipIf(!hasPython)(
  'the client for Python lets nobody wait for somebody else, and tells people what has failed (claim: side-by-side-in-python)',
  async () => {
    const [gil, hal] = [await signUp(server, 'Gil'), await signUp(server, 'Hal')];
    const team = await makeTeam(gil, [hal]);
    const names = ['slow', 'fast', 'refused', 'broken', 'closed', 'form', 'forgotten'];
    const application = await register(gil, host, {
      ...{ name: 'Commands', scopes: ['direct:app'] },
      commands: names.map((name) => ({ name, description: 'Does something' })),
    });
    await install(gil, team, application);
    const folder = newFolder();
    cpSync(join(root, 'sdk/python/parley.py'), join(folder, 'parley.py'));
    cpSync(join(root, 'test/fixtures/python-people.py.txt'), join(folder, 'people.py'));
    const child = spawn('python3', ['-W', 'error', 'people.py'], {
      cwd: folder,
      env: {
        ...{ PATH: process.env.PATH, PYTHONIOENCODING: 'utf-8', PARLEY: server.url },
        ...{ CLIENT_ID: application.id, CLIENT_SECRET: application.secret, ELSEWHERE: randomUUID() },
      },
    });
    let complaints = '';
    child.stderr.on('data', (chunk) => (complaints += chunk));
    const ended = new Promise((resolve) => child.once('close', resolve));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value, complaints).toBe('listening');
    const give = async ({ client }: typeof gil, name: string, click = randomUUID()) => {
      const ask = async () =>
        (await client.post(`/v1/teams/${team}/commands`, { text: `/${name}`, click })).data[0];
      return { ask, first: await ask() };
    };
    const slow = await give(gil, 'slow');
    const fast = await give(hal, 'fast');
    const done = { status: 'done' };
    const failed = { status: 'failed', reason: 'application_failed' };
    for (const { ask } of [slow, fast]) await expect.poll(ask).toMatchObject(done);
    for (const name of ['refused', 'broken', 'closed', 'forgotten'])
      await expect.poll((await give(hal, name)).ask).toMatchObject(failed);
    const opening = await give(hal, 'form');
    await expect.poll(async () => (await opening.ask()).form).toBeDefined();
    const path = `/v1/forms/${(await opening.ask()).form}`;
    const form = async () => (await hal.client.get(path)).data[0];
    await hal.client.post(`${path}/submission`, {
      hash: (await form()).hash,
      state: { why: { text: 'Sun' } },
    });
    await expect.poll(async () => (await form()).submission).toBeUndefined();
    child.stdin.end('\n');
    const { value: printed = 'null' } = await lines.next();
    expect(await ended, complaints).toBe(0);
    rmSync(folder, { recursive: true });
    const { tried, errors, token, formats, ...rest } = JSON.parse(printed);
    expect(rest).toEqual({
      passed: true,
      away: true,
      missing: 'Application(base_url=…): base_url is missing',
      scheme: 'Application(base_url=…): localhost:3000 is no address, as https://parley.example.org',
    });
    // What was refused for good is not tried again, and the field is in the message.
    expect(tried).toEqual(['refused', 'broken', 'broken']);
    expect(errors).toEqual([
      expect.stringMatching(/^form\.title: .*\(4002\)/),
      'broken',
      'broken',
      'no handler is for the command /forgotten',
      expect.stringMatching(/^errors\.nothing: .*\(4002\)/),
    ]);
    expect(token).toMatch(/^OAuth: invalid_target: the team \S+ does not have/);
    expect(formats).toEqual([
      expect.stringContaining("mrkdwn('{} {') with 1 values"),
      expect.stringContaining('it names a value that is not given'),
    ]);
    const told = await hal.client.get(`/v1/users/me/ephemeral_answers?team=${team}`);
    expect(told.data.map(({ text }) => text)).toEqual(['The calendar is closed']);
  },
);
