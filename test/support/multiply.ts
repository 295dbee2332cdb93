import { DatabaseSync } from 'node:sqlite';

/** Rows of the server itself, those that rules keep few, work that would go on during a measurement, and the index, which is made again. */
const NOT_COPIED = [
  'schema_migrations',
  'server_state',
  'sign_in_pace',
  'application_secrets',
  'incoming_webhooks',
  'push_subscriptions',
  'mail_jobs',
  'message_index',
  'message_index_queue',
];

/** Columns that differ, where a rule bounds how many there are of the last one, or where others follow from it. */
const VARIED_OF: Readonly<Record<string, readonly string[]>> = {
  sidebar_users: ['sidebar_id'],
  event_subscriptions: ['id', 'application_id'],
  // Of emoji, a message has few kinds.
  reactions: ['user_id'],
  inbox_entries: ['conversation_id', 'root_id', 'sidebar_id', 'activity_id', 'mention_id', 'reacted_id'],
};

/** Numbers of copies keep this distance: there are fewer originals. */
const STEP = 1000;

/**
 * Copies each row of a database of SQLite, so that whoever has one of something has many of it. Copies have keys of their
 * own; in keys of several columns the last id or number is another one, such as the user of a membership. The same id becomes the
 * same one everywhere, so that the copy of a membership is that of the user's copy.
 */
export function multiplyRows(file: string, copies: number): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 5000 });
  const texts = (sql: string) => (db.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
  const columnsOf = (table: string) => {
    const unique = texts(`SELECT name FROM pragma_index_list('${table}') WHERE "unique"`);
    const key = texts(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`);
    const keys = [key, ...unique.map((index) => texts(`SELECT name FROM pragma_index_info('${index}')`))];
    const varied = new Set(
      VARIED_OF[table] ?? keys.map((names) => names.findLast((name) => VARIED.test(name)) ?? names.at(-1)),
    );
    return texts(`SELECT name FROM pragma_table_info('${table}')`).map(
      (name) => [name, varied.has(name) ? copied(name) : name] as const,
    );
  };
  db.exec('BEGIN IMMEDIATE');
  for (const table of texts(TABLES).filter((name) => !NOT_COPIED.includes(name))) {
    const columns = columnsOf(table);
    db.exec(`INSERT INTO ${table} (${columns.map(([name]) => name)})
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${copies})
      SELECT ${columns.map(([, value]) => value)} FROM ${table}, n`);
  }
  db.exec(COUNTS);
  db.exec('COMMIT');
  db.close();
}

const VARIED = /(?:^|_)(?:id|hash|key|seq|place|topic)$/;

/** An original's id is of version 7: no random digits of one make it the id of a copy. */
const copied = (column: string) => `CASE
  WHEN typeof(${column}) = 'integer' THEN ${column} + i * ${STEP}
  WHEN ${column} LIKE '________-____-____-____-____________' THEN
    substr(${column}, 1, 14) || '8' || substr(${column}, 16, 9) || printf('%06x', i) || substr(${column}, 31)
  ELSE ${column} || '.' || i END`;

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
  AND name NOT LIKE 'message_words%'`;

/** What rows say about other rows. */
const COUNTS = `
  UPDATE teams SET message_seq = coalesce((SELECT max(seq) FROM messages WHERE team_id = teams.id), 0),
    num_members = (SELECT count(*) FROM memberships WHERE team_id = teams.id);
  UPDATE messages SET num_replies = (SELECT max(reply_seq) FROM messages AS replies WHERE root_id = messages.id)
    WHERE num_replies > 0 AND EXISTS (SELECT 1 FROM messages AS replies WHERE root_id = messages.id);
  UPDATE messages SET
    num_high_fives = (SELECT count(*) FROM reactions WHERE message_id = messages.id AND emoji = '🙌'),
    reactions_json = (SELECT json_group_array(json_array(emoji, n)) FROM (
      SELECT emoji, count(*) AS n FROM reactions WHERE message_id = messages.id GROUP BY emoji ORDER BY min(created_at)
    ))
    WHERE reactions_json IS NOT NULL;
  UPDATE sidebars SET message_seq = (SELECT max(sidebar_seq) FROM messages WHERE sidebar_id = sidebars.id)
    WHERE EXISTS (SELECT 1 FROM messages WHERE sidebar_id = sidebars.id);
  UPDATE event_consumers SET place = (SELECT max(place) FROM events);
  UPDATE event_cursors SET place = (SELECT max(place) FROM events);
  INSERT INTO message_index_queue (message_id) SELECT id FROM messages
    WHERE id NOT IN (SELECT message_id FROM message_index UNION SELECT message_id FROM message_index_queue);
`;
