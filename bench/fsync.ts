import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { type Measured, median, percentile } from './load.ts';

/**
 * The rate at which this disk can store posts with one fsync each: the writes of a team post, each in its own
 * transaction, and nothing else.
 */
export function postsWithOneFsyncEach(file: string, seconds: number): Measured {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS teams (id TEXT PRIMARY KEY, seq INTEGER);
    CREATE TABLE IF NOT EXISTS members (id TEXT PRIMARY KEY, seq INTEGER);
    CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, seq INTEGER, text TEXT);
    INSERT OR IGNORE INTO teams VALUES ('t', 0); INSERT OR IGNORE INTO members VALUES ('m', 0);`);
  const statements = [
    db.prepare('BEGIN IMMEDIATE'),
    db.prepare("UPDATE teams SET seq = seq + 1 WHERE id = 't'"),
    db.prepare("UPDATE members SET seq = seq + 1 WHERE id = 'm'"),
  ];
  const insert = db.prepare('INSERT INTO messages VALUES (?, ?, ?)');
  const commit = db.prepare('COMMIT');
  const end = performance.now() + seconds * 1000;
  const times: number[] = [];
  for (let begun = performance.now(); begun < end; begun = performance.now()) {
    for (const statement of statements) statement.run();
    insert.run(randomUUID(), times.length, 'A message of ordinary length, as people write them.');
    commit.run();
    times.push(performance.now() - begun);
  }
  db.close();
  return { rate: times.length / seconds, p50: median(times), p99: percentile(times, 99) };
}
