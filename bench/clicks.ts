/**
 * From a click to the changed message on the screen of the person who clicked: the application hears of the click by a stream
 * or a webhook, as the SDK does it, and edits its message. And a list of messages with blocks beside one without.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type NewMessage, ParleyApplication } from '../sdk/index.ts';
import { Client } from '../test/support/client.ts';
import { EventStream } from '../test/support/event-stream.ts';
import { ApplicationHost, install, type Person, register } from '../test/support/people.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { type Comparing, withDatabases } from './databases.ts';
import { compare, percentile } from './load.ts';
import { SERVER, startSubject } from './process.ts';
import { type Figure, type Line, lineOf } from './table.ts';

const CLICKS = 200;
/** At p95. */
const TARGET_MS = 150;
const MESSAGES = 50;
const BLOCKS = 10;

type Blocks = NonNullable<NewMessage['blocks']>;

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const button = { type: 'button' as const, action_id: 'yes', text: plain('Approve'), value: 'holiday-7' };
const asked: Blocks = [{ type: 'actions', block_id: 'ask', elements: [button] }];
const answered = (click: number): Blocks => [{ type: 'header', text: plain(`Approved, ${click}`) }, ...asked];
const typical: Blocks = Array.from({ length: BLOCKS }, (_, at): Blocks[number] =>
  at % 2 === 0
    ? {
        type: 'section',
        text: { type: 'mrkdwn', text: `*Build ${at}* passed on <https://ci.example/${at}|main>` },
      }
    : { type: 'actions', elements: [{ ...button, action_id: `yes${at}` }] },
);

export async function benchClicks(options: Comparing): Promise<{ lines: Line[]; figures: Figure[] }> {
  return withDatabases(async (folder, postgres) => {
    const DATABASE_URL = await createDatabase(postgres.url);
    const both = [
      await onDatabase('SQLite', { DATA_DIR: folder }, options),
      await onDatabase('PostgreSQL', { DATA_DIR: join(folder, 'postgres'), DATABASE_URL }, options),
    ];
    return { lines: both.map(({ line }) => line), figures: both.flatMap(({ figures }) => figures) };
  });
}

async function onDatabase(
  database: string,
  environment: NodeJS.ProcessEnv,
  { seconds, rounds, settings }: Comparing,
): Promise<{ line: Line; figures: Figure[] }> {
  const server = await startSubject(SERVER, {
    ...settings,
    ALLOW_LOOPBACK_APPS: 'yes',
    REGISTRATION: 'open',
    ...environment,
  });
  const host = await new ApplicationHost().start();
  try {
    const ada = await signUp(server.url);
    const figures: Figure[] = [];
    for (const way of ['stream', 'webhook'] as const) {
      const waited = await clicksOf(await addApplication(ada, host), ada, way);
      const name = `click to changed message by ${way}, ${database}`;
      figures.push(
        { name: `${name}, median`, value: percentile(waited, 50), unit: 'ms', below: undefined },
        { name: `${name}, p95`, value: percentile(waited, 95), unit: 'ms', below: TARGET_MS },
      );
    }
    const { bot, team: withBlocks } = await addApplication(ada, host);
    const without = await made(ada.client, '/v1/teams', { name: 'Without' });
    for (let at = 0; at < MESSAGES; at++) {
      await bot.postMessage({ addressed_teams: [withBlocks], text: `Build ${at}`, blocks: typical });
      await made(ada.client, '/v1/messages', { addressed_teams: [without.id], text: `Build ${at}` });
    }
    const newest = (team: string) => ({
      url: `${server.url}/v1/messages?team=${team}&limit=${MESSAGES}`,
      headers: { Cookie: ada.client.cookie },
    });
    const lists = await compare(newest(withBlocks), newest(without.id), seconds, rounds);
    const name = `GET ${MESSAGES} messages of ${BLOCKS} blocks each`;
    const line = lineOf(lists, { name, database, reference: 'the same without', target: 0.5 });
    return { line, figures };
  } finally {
    await server.stop();
    await host.stop();
  }
}

async function signUp(url: string): Promise<Person> {
  const client = new Client(url);
  const email = 'ada@example.org';
  const fields = { email, password: randomUUID(), first_name: 'Ada', last_name: '' };
  const { id } = await made(client, '/v1/users', fields);
  return { id, email, client };
}

// biome-ignore lint/suspicious/noExplicitAny: things of every kind
async function made(client: Client, path: string, fields: object): Promise<any> {
  const { status, text, data } = await client.post(path, fields);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return data[0];
}

/** An application in a team of its own. */
async function addApplication(ada: Person, host: ApplicationHost) {
  const { id: team } = await made(ada.client, '/v1/teams', { name: 'Holidays' });
  const scopes = ['messages:read', 'messages:write'];
  const application = await register(ada, host, { name: `Holidays ${team}`, scopes });
  await install(ada, team, application);
  const app = new ParleyApplication({
    baseUrl: ada.client.url,
    clientId: application.id,
    clientSecret: application.secret,
  });
  return { app, team, bot: app.inTeam(team) };
}

/** @returns how long each took, in milliseconds */
async function clicksOf(
  { app, team, bot }: Awaited<ReturnType<typeof addApplication>>,
  { client }: Person,
  way: 'stream' | 'webhook',
): Promise<number[]> {
  let clicks = 0;
  app.action(/./, ({ message }) => bot.editMessage(message?.id ?? '', { blocks: answered(++clicks) }));
  const end = await (way === 'stream' ? hearByStream(app) : hearByWebhook(app));
  const message = await bot.postMessage({ addressed_teams: [team], text: 'A holiday', blocks: asked });
  const screen = await EventStream.open(client);
  const waited: number[] = [];
  for (let click = 0; click < CLICKS; click++) {
    const begun = performance.now();
    const given = { block_id: 'ask', action_id: 'yes', click: randomUUID() };
    await made(client, `/v1/messages/${message.id}/interactions`, given);
    await screen.until(() => screen.of('message.updated').length > click);
    waited.push(performance.now() - begun);
  }
  screen.close();
  await end();
  return waited;
}

async function hearByStream(app: ParleyApplication): Promise<() => Promise<void>> {
  const listening = await app.listen();
  return () => listening.stop();
}

async function hearByWebhook(app: ParleyApplication): Promise<() => Promise<void>> {
  let handle: ReturnType<ParleyApplication['webhook']> | undefined;
  const receiver = createServer((request, response) => void handle?.(request, response));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { key } = await app.subscriptions.create({ kinds: ['interaction'], webhook: { url } });
  handle = app.webhook({ key: key as string });
  return () => new Promise((resolve) => receiver.close(() => resolve()));
}
