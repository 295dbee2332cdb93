import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { type Database, migrate, SqliteDatabase } from '../../src/platform/db/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { migrations } from '../../src/schema/index.ts';
import { newFolder } from './folder.ts';
import { createDatabase } from './postgres.ts';
import { runSql } from './tables.ts';

const times = { created_at: 1000, updated_at: 1000 };

/** A database of the kind that this run tests, as it was before a migration, for the tests of a file. */
export function oldDatabase(before: string) {
  const folder = newFolder();
  let db: Database;

  beforeAll(async () => {
    db = await open();
    const at = migrations.findIndex(({ name }) => name === before);
    await migrate(db, migrations.slice(0, at), 0);
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(): Promise<Database> {
    if (process.env.TEST_DATABASE !== 'postgres') return new SqliteDatabase(join(folder, 'old.db'));
    const { PostgresDatabase } = await import('../../src/platform/db/postgres.ts');
    const limits = { connectMs: 30_000, statementMs: 30_000, lockMs: 30_000, idleMs: 30_000 };
    const { Servers } = await import('../../src/platform/db/servers.ts');
    const servers = Servers.only(await createDatabase(inject('postgresUrl')));
    return new PostgresDatabase({ servers, connections: 2, ...limits }, () => undefined);
  }

  const select = <Row = unknown>(sql: string) => runSql<Row>(db, sql);
  const insert = (table: string, row: Record<string, unknown>) =>
    runSql(
      db,
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
        .map(() => '?')
        .join(', ')})`,
      Object.values(row),
    );

  async function insertPerson(id: string, username = 'a'): Promise<void> {
    const names = { username, username_key: username, first_name: 'A', last_name: '', name_key: 'a' };
    const email = `${username}@b.c`;
    const mail = { email_id: newId(), email, email_key: email, email_verified: 0 };
    const rest = { password_hash: '', title: '', location: '', company: '', superuser: 0, active: 1 };
    await insert('users', { id, ...names, ...mail, ...rest, ...times, prefs_json: '{}', online_until: 0 });
  }

  async function insertTeam(id: string): Promise<void> {
    const look = { name: 'T', color: '', icon: '', num_members: 1, active: 1, message_seq: 3 };
    await insert('teams', { id, ...look, ...times });
  }

  async function insertMessage(row: Record<string, unknown>): Promise<string> {
    const id = newId();
    const empty = { addressed_users_json: '[]', attachments_json: '[]', mentions_json: '[]' };
    const counts = { num_replies: 0, num_high_fives: 0 };
    await insert('messages', { id, text: 'now', ...empty, ...counts, ...times, ...row });
    return id;
  }

  const bringUpToDate = () => migrate(db, migrations, 0);

  return { select, insert, insertPerson, insertTeam, insertMessage, bringUpToDate };
}
