import { DatabaseSync } from 'node:sqlite';

export type Status = 'open' | 'approved' | 'refused' | 'expired';

/** A request for approval. People are ids; times are milliseconds. */
export interface Request {
  readonly id: number;
  /** The id of the event that brought it. */
  readonly event: string;
  readonly team: string;
  readonly asker: string;
  /** Null where any admin is asked. */
  readonly approver: string | null;
  /** Asked when the first one takes too long. */
  readonly second: string | null;
  readonly text: string;
  readonly status: Status;
  readonly decided_by: string | null;
  readonly decided_at: number | null;
  readonly expires_at: number;
  readonly escalates_at: number;
  readonly escalated: 0 | 1;
  /** The message with the buttons; null before it was posted. */
  readonly message: string | null;
  /** 0 while the message does not show yet how the request is. */
  readonly shown: 0 | 1;
}

export type NewRequest = Pick<
  Request,
  'event' | 'team' | 'asker' | 'approver' | 'second' | 'text' | 'expires_at' | 'escalates_at'
>;

/** The bot's data, in one SQLite file. Each change is one statement, so a crash leaves nothing half done. */
export class Storage {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    this.#db.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS requests (
        id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT UNIQUE NOT NULL, team TEXT NOT NULL, asker TEXT NOT NULL,
        approver TEXT, second TEXT, text TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'open', decided_by TEXT,
        decided_at INTEGER, expires_at INTEGER NOT NULL, escalates_at INTEGER NOT NULL,
        escalated INTEGER NOT NULL DEFAULT 0, message TEXT, shown INTEGER NOT NULL DEFAULT 0
      );`);
  }

  /** @returns the request that the event brought before, if it comes again */
  add(request: NewRequest): Request {
    const { event, team, asker, approver, second, text, expires_at, escalates_at } = request;
    this.#db
      .prepare(
        `INSERT INTO requests (event, team, asker, approver, second, text, expires_at, escalates_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (event) DO NOTHING`,
      )
      .run(event, team, asker, approver, second, text, expires_at, escalates_at);
    return this.#one('event = ?', event) as Request;
  }

  /** Finds requests of this team only. */
  find(team: string, id: number): Request | undefined {
    return this.#one('team = ? AND id = ?', team, id);
  }

  /** Decides a request that is open. @returns false when it was decided or has expired before */
  decide(id: number, status: Exclude<Status, 'open'>, by: string | null, now: number): boolean {
    return (
      this.#db
        .prepare(
          `UPDATE requests SET status = ?, decided_by = ?, decided_at = ?, shown = 0
           WHERE id = ? AND status = 'open' AND (expires_at > ? OR ? = 'expired')`,
        )
        .run(status, by, now, id, now, status).changes > 0
    );
  }

  /** @param request as the message shows it: it may have changed meanwhile */
  markPosted({ id, status, escalated }: Request, message: string): void {
    this.#db
      .prepare('UPDATE requests SET message = ?, shown = (status = ? AND escalated = ?) WHERE id = ?')
      .run(message, status, escalated, id);
  }

  markEscalated(id: number): void {
    this.#db.prepare('UPDATE requests SET escalated = 1, shown = 0 WHERE id = ?').run(id);
  }

  /** @param request as the message shows it: it may have changed meanwhile */
  markShown({ id, status, escalated }: Request): void {
    const sql = 'UPDATE requests SET shown = 1 WHERE id = ? AND status = ? AND escalated = ?';
    this.#db.prepare(sql).run(id, status, escalated);
  }

  expired(now: number): Request[] {
    return this.#all("status = 'open' AND expires_at <= ?", now);
  }

  toEscalate(now: number): Request[] {
    const waits = "status = 'open' AND second IS NOT NULL AND escalated = 0 AND message IS NOT NULL";
    return this.#all(`${waits} AND escalates_at <= ?`, now);
  }

  /** A request without a message is left out: it is posted when its event comes again. */
  toShow(): Request[] {
    return this.#all('shown = 0 AND message IS NOT NULL');
  }

  forgetTeam(team: string): void {
    this.#db.prepare('DELETE FROM requests WHERE team = ?').run(team);
  }

  close(): void {
    this.#db.close();
  }

  #one(where: string, ...values: (string | number)[]): Request | undefined {
    return this.#db.prepare(`SELECT * FROM requests WHERE ${where}`).get(...values) as Request | undefined;
  }

  #all(where: string, ...values: (string | number)[]): Request[] {
    return this.#db
      .prepare(`SELECT * FROM requests WHERE ${where} ORDER BY id LIMIT 100`)
      .all(...values) as unknown as Request[];
  }
}
