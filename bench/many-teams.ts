/** A person in 200 teams: what pages over all of them cost beside the page of one team, on both databases. */
import { join } from 'node:path';
import { type Database, SqliteDatabase } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import { insertMessages, newMessage } from '../src/conversation/messages/posting/message.store.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { type Comparing, openPostgres, withDatabases } from './databases.ts';
import { compare, measure, type Target } from './load.ts';
import { SERVER, startSubject } from './process.ts';
import { insert, seed } from './seed.ts';
import { seedSessions } from './sessions-seed.ts';
import { type Line, lineOf } from './table.ts';

const MEMBERS = 10;
const TEAMS = 200;
const MESSAGES = 60;
/** The last of each team's messages. */
const UNREAD = 10;
/** Its word is in one message. */
const RARE = 'marmalade';
/** Searches of one person at once: the server refuses more than some dozens. */
const FEW = 4;

export function benchManyTeams(options: Comparing): Promise<Line[]> {
  return withDatabases(async (folder, postgres) => {
    const DATABASE_URL = await createDatabase(postgres.url);
    const sqlite = new SqliteDatabase(join(folder, 'parley.db'));
    const onPostgres = { DATA_DIR: join(folder, 'postgres'), DATABASE_URL };
    return [
      ...(await pages('SQLite', sqlite, { DATA_DIR: folder }, options)),
      ...(await pages('PostgreSQL', await openPostgres(DATABASE_URL), onPostgres, options)),
    ];
  });
}

async function pages(
  database: string,
  db: Database,
  environment: NodeJS.ProcessEnv,
  { seconds, rounds, settings }: Comparing,
): Promise<Line[]> {
  const { teams, headers } = await seedPerson(db, Buffer.alloc(32, 2));
  await db.close();
  const COOKIE_KEY = Buffer.alloc(32, 2).toString('base64');
  const server = await startSubject(SERVER, { ...settings, ...environment, COOKIE_KEY });
  const get = (path: string): Target => ({ url: server.url + path, headers });
  const lines: Line[] = [];
  for (const [name, path] of [
    ['inbox of 200 teams', '/v1/messages?tag=_inbox'],
    ['unread page of 200 teams', '/v1/messages?tag=_unread'],
    ['list of 200 own teams', '/v1/users/me/teams'],
  ] as const) {
    const both = await compare(get(path), get(`/v1/messages?team=${teams[0]}`), seconds, rounds);
    lines.push(lineOf(both, { name, database, reference: 'page of one team', target: 0.5 }));
  }
  const few = (path: string) => () => measure(get(path), seconds, FEW);
  const search = await compare(
    few(`/v1/messages?q=${RARE}`),
    few(`/v1/messages?team=${teams[0]}`),
    seconds,
    rounds,
  );
  lines.push(
    lineOf(search, { name: 'rare word in 200 teams', database, reference: 'page of one team', target: 0.1 }),
  );
  await server.stop();
  return lines;
}

/** Each team has new messages; they came in turns. */
export async function seedPerson(
  db: Database,
  key: Buffer,
): Promise<{ teams: readonly string[]; author: string; headers: { Cookie: string } }> {
  const [person, author] = (await seed(db, [MEMBERS], 'none')).userIds as [string, string];
  const made = { created_at: Date.now(), updated_at: Date.now() };
  const teams = Array.from({ length: TEAMS }, () => newId());
  await db.write(async (tx) => {
    for (const id of teams) {
      const team = {
        id,
        name: 'Team',
        color: '#1f6feb',
        icon: '',
        num_members: 2,
        active: 1,
        message_seq: MESSAGES,
      };
      await insert(tx, 'teams', { ...team, ...made });
      for (const user_id of [person, author]) {
        const member = {
          team_id: id,
          user_id,
          membership_type: 2,
          is_muted: 0,
          is_favorite: 0,
          inviter_id: author,
        };
        await insert(tx, 'memberships', { ...member, read_seq: MESSAGES - UNREAD, ...made });
      }
    }
    for (let seq = 1; seq <= MESSAGES; seq++) {
      const rows = teams.map((team_id) =>
        newMessage({
          id: newId(),
          author: { userId: author },
          content: {
            text: team_id === teams[0] && seq === 1 ? RARE : 'A message of ordinary length.',
            attachments: [],
            fileIds: [],
            format: null,
            mention: undefined,
          },
          place: { team_id, seq, addressees: [] },
          attached: [],
          mentions: [],
          now: made.created_at,
        }),
      );
      await insertMessages(tx, rows);
      for (const { id } of rows) await insert(tx, 'message_index_queue', { message_id: id });
    }
  });
  const [cookie] = await seedSessions(db, [person], key);
  return { teams, author, headers: { Cookie: cookie as string } };
}
