import { DatabaseSync } from 'node:sqlite';

/** A question with its options. People are ids. */
export interface Poll {
  readonly id: number;
  /** The id of the event that brought it. */
  readonly event: string;
  readonly team: string;
  readonly asker: string;
  readonly question: string;
  readonly options: readonly string[];
  readonly closed: boolean;
  /** How many are for each option. */
  readonly counts: readonly number[];
}

/** The bot's data, in one SQLite file. */
export class Storage {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    this.#db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA foreign_keys = ON;
      CREATE TABLE IF NOT EXISTS polls (
        id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT UNIQUE NOT NULL, team TEXT NOT NULL, asker TEXT NOT NULL,
        question TEXT NOT NULL, options TEXT NOT NULL, closed INTEGER NOT NULL DEFAULT 0
      );
      CREATE TABLE IF NOT EXISTS votes (
        poll INTEGER NOT NULL REFERENCES polls ON DELETE CASCADE, user TEXT NOT NULL, option INTEGER NOT NULL,
        PRIMARY KEY (poll, user)
      );`);
  }

  /** @returns the poll that the event brought before, if it comes again */
  add(event: string, team: string, asker: string, question: string, options: readonly string[]): Poll {
    this.#db
      .prepare(
        `INSERT INTO polls (event, team, asker, question, options) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (event) DO NOTHING`,
      )
      .run(event, team, asker, question, JSON.stringify(options));
    return this.#read('event = ?', event) as Poll;
  }

  /** Finds polls of this team only. */
  find(team: string, id: number): Poll | undefined {
    return this.#read('team = ? AND id = ?', team, id);
  }

  /** The newest vote of a person counts. @returns false for a poll that is closed */
  vote(poll: number, user: string, option: number): boolean {
    return (
      this.#db
        .prepare(
          `INSERT INTO votes (poll, user, option) SELECT id, ?, ? FROM polls WHERE id = ? AND closed = 0
           ON CONFLICT (poll, user) DO UPDATE SET option = excluded.option`,
        )
        .run(user, option, poll).changes > 0
    );
  }

  close(poll: number): void {
    this.#db.prepare('UPDATE polls SET closed = 1 WHERE id = ?').run(poll);
  }

  forgetTeam(team: string): void {
    this.#db.prepare('DELETE FROM polls WHERE team = ?').run(team);
  }

  end(): void {
    this.#db.close();
  }

  #read(where: string, ...values: (string | number)[]): Poll | undefined {
    const row = this.#db.prepare(`SELECT * FROM polls WHERE ${where}`).get(...values);
    if (!row) return undefined;
    const options = JSON.parse(row.options as string) as string[];
    const counted = this.#db
      .prepare('SELECT option, count(*) AS count FROM votes WHERE poll = ? GROUP BY option')
      .all(row.id as number);
    const counts = options.map((_, at) => Number(counted.find(({ option }) => option === at)?.count ?? 0));
    return { ...(row as unknown as Poll), options, closed: row.closed === 1, counts };
  }
}
