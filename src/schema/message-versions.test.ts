import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { newFolder } from '../../test/support/folder.ts';
import { createDatabase } from '../../test/support/postgres.ts';
import { runSql } from '../../test/support/tables.ts';
import { type Database, migrate, SqliteDatabase } from '../platform/db/index.ts';
import { newId } from '../platform/ids.ts';
import { migrations } from './index.ts';

const folder = newFolder();
let db: Database;

beforeAll(async () => {
  if (process.env.TEST_DATABASE !== 'postgres') {
    db = new SqliteDatabase(join(folder, 'old.db'));
    return;
  }
  const { PostgresDatabase } = await import('../platform/db/postgres.ts');
  const times = { connectMs: 30_000, statementMs: 30_000, lockMs: 30_000, idleMs: 30_000 };
  const url = await createDatabase(inject('postgresUrl'));
  db = new PostgresDatabase({ url, connections: 2, ...times }, () => undefined);
});

afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (table: string, row: Record<string, unknown>) =>
  runSql(
    db,
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row)
      .map(() => '?')
      .join(', ')})`,
    Object.values(row),
  );

const times = { created_at: 1000, updated_at: 1000 };

async function insertPeople(author: string, team: string): Promise<void> {
  const names = { username: 'a', username_key: 'a', first_name: 'A', last_name: '', name_key: 'a' };
  const mail = { email_id: newId(), email: 'a@b.c', email_key: 'a@b.c', email_verified: 0 };
  const rest = { password_hash: '', title: '', location: '', company: '', superuser: 0, active: 1 };
  await insert('users', {
    ...{ id: author, ...names, ...mail, ...rest, ...times },
    ...{ prefs_json: '{}', online_until: 0 },
  });
  const look = { name: 'T', color: '', icon: '', num_members: 1, active: 1, message_seq: 3 };
  await insert('teams', { id: team, ...look, ...times });
}

async function insertMessage(row: Record<string, unknown>): Promise<string> {
  const id = newId();
  const empty = { addressed_users_json: '[]', attachments_json: '[]', mentions_json: '[]' };
  const counts = { num_replies: 0, num_high_fives: 0 };
  await insert('messages', { id, text: 'now', ...empty, ...counts, ...times, ...row });
  return id;
}

it('an old database keeps the earlier texts of its messages, apart from the messages', async () => {
  const at = migrations.findIndex(({ name }) => name === '0011-message-versions');
  await migrate(db, migrations.slice(0, at), 0);
  const [author, team] = [newId(), newId()];
  await insertPeople(author, team);
  const events = ['first „“ \\ "text"', 'second', 'x'.repeat(16_000)].map((text, index) => ({
    type: 'edited',
    user: author,
    created_at: 1_790_000_000.123 + index,
    text,
  }));
  const of = (seq: number) => ({ team_id: team, seq, author_id: author });
  const edited = await insertMessage({ ...of(1), events_json: JSON.stringify(events) });
  const deletion = JSON.stringify([{ type: 'deleted', user: author, created_at: 7.5 }]);
  const deleted = await insertMessage({ ...of(2), events_json: deletion, deleted_at: 7500 });
  const plain = await insertMessage(of(3));
  const direct = await insertMessage({ author_id: author, events_json: deletion, deleted_at: 7500 });
  for (const [message_id, seq] of [
    [deleted, 2],
    [plain, 3],
  ])
    await insert('read_marks', { user_id: author, team_id: team, message_id, seq, is_read: 0 });
  await insert('message_recipients', { user_id: author, message_id: direct, read_at: null });

  await migrate(db, migrations, 0);
  expect(await runSql(db, 'SELECT * FROM message_versions ORDER BY place')).toEqual(
    events.map(({ text, created_at }, index) => ({
      message_id: edited,
      place: index + 1,
      text,
      replaced_at: Math.round(created_at * 1000),
    })),
  );
  const rows = await runSql<{ id: string; events_json: string }>(db, 'SELECT id, events_json FROM messages');
  expect(Object.fromEntries(rows.map((row) => [row.id, JSON.parse(row.events_json)]))).toEqual({
    [edited]: events.map(({ text, ...event }) => event),
    [deleted]: JSON.parse(deletion),
    [plain]: [],
    [direct]: JSON.parse(deletion),
  });
  expect(await runSql(db, 'SELECT message_id FROM read_marks')).toEqual([{ message_id: plain }]);
  expect(await runSql(db, 'SELECT read_at FROM message_recipients')).toEqual([{ read_at: 7500 }]);
});
