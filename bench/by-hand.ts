/**
 * Durable posts as somebody would write them by hand in an hour: `node:http` and `node:sqlite`, a look-up of the hashed
 * token, a check of the membership, one insert, and one commit for all posts of a turn of the event loop. It knows nothing
 * of search, events, limits, idempotency or applications.
 */
import { hash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

interface Wish {
  readonly authorization: string;
  readonly body: { readonly text: string; readonly addressed_teams: readonly [string] };
  readonly response: ServerResponse;
}

interface Author {
  readonly user_id: string;
  readonly name: string;
}

const { DATABASE_FILE, TOKEN, TEAM } = process.env as Record<string, string>;
const hashOf = (token: string) => hash('sha256', token, 'base64url');

const db = new DatabaseSync(DATABASE_FILE as string);
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS users (id TEXT PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS tokens (hash TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users);
  CREATE TABLE IF NOT EXISTS members (team_id TEXT, user_id TEXT REFERENCES users, PRIMARY KEY (team_id, user_id));
  CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, team_id TEXT NOT NULL, user_id TEXT NOT NULL,
    text TEXT NOT NULL, created_at INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS messages_by_team ON messages (team_id, id);`);
const userId = randomUUID();
db.prepare('INSERT INTO users VALUES (?, ?)').run(userId, 'Ada Lovelace');
db.prepare('INSERT OR REPLACE INTO tokens VALUES (?, ?)').run(hashOf(TOKEN as string), userId);
db.prepare('INSERT INTO members VALUES (?, ?)').run(TEAM as string, userId);

const begin = db.prepare('BEGIN IMMEDIATE');
const commit = db.prepare('COMMIT');
const findAuthor = db.prepare(
  'SELECT user_id, name FROM tokens JOIN users ON users.id = user_id WHERE hash = ?',
);
const findMember = db.prepare('SELECT 1 FROM members WHERE team_id = ? AND user_id = ?');
const insert = db.prepare('INSERT INTO messages (team_id, user_id, text, created_at) VALUES (?, ?, ?, ?)');

let wishes: Wish[] = [];

/** Answers wait for the commit, and so does the reading of further requests. */
function commitAll(): void {
  const all = wishes;
  wishes = [];
  begin.run();
  const answers = all.map(post);
  commit.run();
  for (const [at, { response }] of all.entries()) {
    const [status, answer] = answers[at] as [number, object];
    const text = JSON.stringify(answer);
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  }
}

function post({ authorization, body }: Wish): [number, object] {
  const author = findAuthor.get(hashOf(authorization.replace('Bearer ', ''))) as Author | undefined;
  if (!author) return [401, { error: 'not signed in' }];
  const [team] = body.addressed_teams;
  if (!findMember.get(team, author.user_id)) return [403, { error: 'no member' }];
  const now = Date.now();
  const { lastInsertRowid: id } = insert.run(team, author.user_id, body.text, now);
  const created_at = new Date(now).toISOString();
  return [200, { data: [{ id: Number(id), author, text: body.text, addressed_teams: [team], created_at }] }];
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Wish['body'];
  if (wishes.length === 0) setImmediate(commitAll);
  wishes.push({ authorization: request.headers.authorization ?? '', body, response });
}

const server = createServer((request, response) => void take(request, response));
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
