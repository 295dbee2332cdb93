import { createHash, randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Tokens } from '#sdk';

/** Something to do, in a team. */
export interface Task {
  readonly id: number;
  readonly team: string;
  readonly title: string;
  readonly done: number;
  /** The platform's id for it; null until it is registered. */
  readonly object_id: string | null;
}

/** The message that shows a task, and who has taken it. */
export interface Card {
  readonly message: string;
  readonly taken_by: string | null;
}

/** A user who opened the tracker from a team. */
export interface Session {
  readonly user: string;
  readonly name: string;
  readonly team: string;
}

const hash = (token: string) => createHash('sha256').update(token).digest('hex');

/** The tracker's data, in one SQLite file. */
export class Storage {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    this.#db.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS teams (id TEXT PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS tokens (user TEXT, team TEXT, json TEXT NOT NULL, PRIMARY KEY (user, team));
      CREATE TABLE IF NOT EXISTS sessions (hash TEXT PRIMARY KEY, user TEXT, name TEXT, team TEXT);
      CREATE TABLE IF NOT EXISTS tasks (
        id INTEGER PRIMARY KEY AUTOINCREMENT, team TEXT, title TEXT, done INTEGER DEFAULT 0, object_id TEXT
      );
      CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, task INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS cards (task INTEGER PRIMARY KEY, message TEXT NOT NULL, taken_by TEXT);`);
  }

  saveTeam(id: string, name: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO teams VALUES (?, ?)').run(id, name);
  }

  /** A team uninstalled the tracker. Its tasks stay, in case that was a mistake. */
  forgetTeam(id: string): void {
    this.#db.prepare('DELETE FROM teams WHERE id = ?').run(id);
    this.#db.prepare('DELETE FROM sessions WHERE team = ?').run(id);
    this.#db.prepare('DELETE FROM tokens WHERE team = ?').run(id);
  }

  /** A member left a team. */
  forgetMember(user: string, team: string): void {
    this.#db.prepare('DELETE FROM sessions WHERE user = ? AND team = ?').run(user, team);
    this.#db.prepare('DELETE FROM tokens WHERE user = ? AND team = ?').run(user, team);
  }

  teamName(id: string): string | undefined {
    return this.#db.prepare('SELECT name FROM teams WHERE id = ?').get(id)?.name as string | undefined;
  }

  saveTokens(user: string, team: string, tokens: Tokens): void {
    const row = [user, team, JSON.stringify(tokens)];
    this.#db.prepare('INSERT OR REPLACE INTO tokens VALUES (?, ?, ?)').run(...row);
  }

  tokens(user: string, team: string): Tokens {
    const row = this.#db.prepare('SELECT json FROM tokens WHERE user = ? AND team = ?').get(user, team);
    if (!row) throw new Error('there are no tokens for this user');
    return JSON.parse(row.json as string) as Tokens;
  }

  /** @returns the cookie's token; only its hash is stored */
  beginSession({ user, name, team }: Session): string {
    const token = randomBytes(24).toString('base64url');
    this.#db.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?)').run(hash(token), user, name, team);
    return token;
  }

  session(token: string): Session | undefined {
    return this.#db.prepare('SELECT user, name, team FROM sessions WHERE hash = ?').get(hash(token)) as
      | Session
      | undefined;
  }

  addTask(team: string, title: string): Task {
    return this.#db
      .prepare('INSERT INTO tasks (team, title) VALUES (?, ?) RETURNING *')
      .get(team, title) as unknown as Task;
  }

  /** @param event the id of the event that asks for it @returns undefined when it made a task before */
  addTaskOf(event: string, team: string, title: string): Task | undefined {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const known = this.#db.prepare('SELECT 1 FROM events WHERE id = ?').get(event) !== undefined;
      const task = known ? undefined : this.addTask(team, title);
      if (task) this.#db.prepare('INSERT INTO events VALUES (?, ?)').run(event, task.id);
      this.#db.exec('COMMIT');
      return task;
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** A task that could not be registered: its event may make it again. */
  undoTask(id: number): void {
    this.#db.prepare('DELETE FROM events WHERE task = ?').run(id);
    this.deleteTask(id);
  }

  saveObjectId(task: number, objectId: string): void {
    this.#db.prepare('UPDATE tasks SET object_id = ? WHERE id = ?').run(objectId, task);
  }

  saveCard(task: number, message: string): void {
    this.#db.prepare('INSERT OR REPLACE INTO cards (task, message) VALUES (?, ?)').run(task, message);
  }

  card(task: number): Card | undefined {
    return this.#db.prepare('SELECT message, taken_by FROM cards WHERE task = ?').get(task) as
      | Card
      | undefined;
  }

  take(task: number, user: string): void {
    this.#db.prepare('UPDATE cards SET taken_by = ? WHERE task = ?').run(user, task);
  }

  tasks(team: string): Task[] {
    return this.#db
      .prepare('SELECT * FROM tasks WHERE team = ? ORDER BY done, id')
      .all(team) as unknown as Task[];
  }

  /** Finds tasks of this team only. */
  task(team: string, id: number): Task | undefined {
    return this.#db.prepare('SELECT * FROM tasks WHERE team = ? AND id = ?').get(team, id) as
      | Task
      | undefined;
  }

  /** @returns whether it was open before */
  markDone(id: number): boolean {
    return this.#db.prepare('UPDATE tasks SET done = 1 WHERE id = ? AND done = 0').run(id).changes > 0;
  }

  reopen(id: number): void {
    this.#db.prepare('UPDATE tasks SET done = 0 WHERE id = ?').run(id);
  }

  deleteTask(id: number): void {
    this.#db.prepare('DELETE FROM cards WHERE task = ?').run(id);
    this.#db.prepare('DELETE FROM tasks WHERE id = ?').run(id);
  }

  close(): void {
    this.#db.close();
  }
}
