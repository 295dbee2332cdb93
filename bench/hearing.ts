/**
 * Posts to a team that 50 applications hear, beside posts to one that none hears, on both databases. What was acknowledged
 * is looked for in the pages of the first and of the last application.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Cipher } from '#platform/crypto/index.ts';
import { type Database, SqliteDatabase } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { audit, noting, type Written } from './acknowledged.ts';
import { type Comparing, openPostgres, withDatabases } from './databases.ts';
import { compare, type Target } from './load.ts';
import { SERVER, startSubject } from './process.ts';
import { insert, type Seed, seed } from './seed.ts';
import { type Figure, type Line, lineOf } from './table.ts';

const [HEARD, UNHEARD] = [10, 11];
const APPLICATIONS = 50;
/** A post may cost a tenth more. */
const TARGET = 0.91;
const SECRET = 'hearing';

/** An application that subscribed. */
interface Hearer {
  readonly id: string;
  readonly subscription: string;
}

export async function benchHearing(options: Comparing): Promise<{ lines: Line[]; figures: Figure[] }> {
  return withDatabases(async (folder, postgres) => {
    const DATABASE_URL = await createDatabase(postgres.url);
    const onPostgres = { DATA_DIR: join(folder, 'postgres'), DATABASE_URL };
    const openSqlite = async () => new SqliteDatabase(join(folder, 'parley.db'));
    const both = [
      await posts('SQLite', openSqlite, { DATA_DIR: folder }, options),
      await posts('PostgreSQL', () => openPostgres(DATABASE_URL), onPostgres, options),
    ];
    const value = both.reduce((sum, { audited }) => sum + audited, 0);
    return {
      lines: both.map(({ line }) => line),
      figures: [
        { name: 'posts to a team that applications hear, audited', value, unit: '', below: undefined },
      ],
    };
  });
}

async function posts(
  database: string,
  open: Written['open'],
  environment: NodeJS.ProcessEnv,
  { seconds, rounds, settings }: Comparing,
): Promise<{ line: Line; audited: number }> {
  const secret = new Cipher(Buffer.from(settings.ENCRYPTION_KEY as string, 'base64')).encrypt(SECRET);
  const db = await open();
  const seeded = await seed(db, [HEARD, UNHEARD], secret);
  const hearers = await seedHearers(db, seeded, secret);
  await db.close();
  const server = await startSubject(SERVER, { ...settings, ...environment });
  const writer = (size: number): Written => ({
    server,
    headers: { Authorization: `Bearer ${seeded.tokens[size]}`, 'Content-Type': 'application/json' },
    open,
    acknowledged: new Map(),
  });
  const [heard, unheard] = [writer(HEARD), writer(UNHEARD)];
  const post = (written: Written, size: number): Target =>
    noting(written, {
      url: `${server.url}/v1/messages`,
      method: 'POST',
      headers: written.headers,
      body: JSON.stringify({ text: 'Message [<id>], heard or not.', addressed_teams: [seeded.teams[size]] }),
    });
  const both = await compare(post(heard, HEARD), post(unheard, UNHEARD), seconds, rounds);
  for (const hearer of [hearers[0], hearers.at(-1)] as Hearer[]) await expectHeard(heard, hearer);
  const audited = await audit(heard);
  const line = lineOf(both, {
    name: `POST to a team that ${APPLICATIONS} applications hear`,
    database,
    reference: 'that none hears',
    target: TARGET,
  });
  return { line, audited };
}

/** Installs applications on one of the teams, and subscribes them. */
async function seedHearers(db: Database, { teams, userIds }: Seed, secret: string): Promise<Hearer[]> {
  const hearers = Array.from({ length: APPLICATIONS }, () => ({ id: randomUUID(), subscription: newId() }));
  const [owner_id, now] = [userIds[0] as string, Date.now()];
  const made = { created_at: now, updated_at: now };
  const scopes_json = JSON.stringify(['messages:read']);
  await db.write(async (tx) => {
    for (const { id, subscription } of hearers) {
      await insert(tx, 'applications', {
        id,
        owner_id,
        name: 'Hearer',
        description: '',
        icon: '',
        scopes_json,
        base_url: 'https://a.example',
        preinstall_url: 'https://a.example/',
        redirect_uris_json: '[]',
        listed: 0,
        active: 1,
        ...made,
      });
      await insert(tx, 'application_secrets', {
        id: newId(),
        application_id: id,
        ciphertext: secret,
        created_at: now,
      });
      const reach = { application_id: id, team_id: teams[HEARD] as string, scopes_json };
      const installed = { status: 'active', installed_by: owner_id, pending_until: 0, ...made };
      await insert(tx, 'installations', { id: newId(), ...reach, ...installed });
      await insert(tx, 'event_subscriptions', {
        id: subscription,
        application_id: id,
        kinds_json: JSON.stringify(['message.posted', 'mention']),
        mentions_only: 0,
        begins_at: 0,
        batch: 1,
        num_failures: 0,
        num_pauses: 0,
        paused_until: 0,
        called_at: 0,
        ...made,
      });
    }
  });
  return hearers;
}

/** @throws when an application does not hear each acknowledged message once */
async function expectHeard({ server, acknowledged }: Written, { id, subscription }: Hearer): Promise<void> {
  const headers = { Authorization: `Basic ${Buffer.from(`${id}:${SECRET}`).toString('base64')}` };
  const times = new Map<string, number>();
  for (let after = ''; ; ) {
    const page = `/v1/applications/${id}/subscriptions/${subscription}/events?limit=200&wait=1${after}`;
    const answer = await fetch(server.url + page, { headers });
    if (answer.status !== 200) throw new Error(`events were refused: ${await answer.text()}`);
    const { data, meta } = (await answer.json()) as Page;
    for (const event of data) times.set(event.data.message.id, (times.get(event.data.message.id) ?? 0) + 1);
    // The last page waits, because PostgreSQL gives places a moment after the commit.
    if (data.length === 0 && !meta.more) break;
    after = `&after=${meta.next_cursor}`;
  }
  const wrong = [...acknowledged.keys()].filter((message) => times.get(message) !== 1);
  if (wrong.length > 0)
    throw new Error(`${wrong.length} of ${acknowledged.size} messages are not heard once`);
}

interface Page {
  readonly data: readonly { readonly data: { readonly message: { readonly id: string } } }[];
  readonly meta: { readonly next_cursor: string; readonly more: boolean };
}
