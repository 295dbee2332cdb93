/**
 * Power cuts on SQLite, simulated: the server is killed under load, then each sector that no sync had covered is taken back,
 * all of them or some by chance. Every acknowledged post must be there once. In the second half the server also copies the database
 * (COPY_TO), and a restore from there must have all that was copied, without gaps. In the last round the disk lies about
 * its syncs, which must lose posts: else the simulation would prove nothing. Needs a C compiler (`cc`) and Linux.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '../test/support/client.ts';
import { makeTeam } from '../test/support/people.ts';
import { freePort, runBinary, startPlatform } from '../test/support/process.ts';
import { chances } from '../test/support/receivers.ts';
import { type Cut, cutPower } from './power/cut.ts';
import type { Figure } from './table.ts';

const WRITERS = 16;
const LONGEST_MS = 3000;
/** No copy takes so long to begin. */
const COPIED_MS = 60_000;
const CUTS: readonly Cut[] = ['all', 'some'];

/** @param options.times how many power cuts @throws when an acknowledged post is lost, or the database is damaged */
export async function benchPowerCuts({ times }: { times: number }): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-power-'));
  const library = join(folder, 'journal.so');
  const source = fileURLToPath(new URL('power/journal.c', import.meta.url));
  execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread']);
  const chance = chances(1);
  const run: Run = { folder, library, chance, posted: [], copied: 0 };
  mkdirSync(copyOf(run));
  try {
    let unsynced = 0;
    for (let turn = 0; turn < times; turn++) {
      const cut = CUTS[turn % CUTS.length] as Cut;
      const copies = turn >= times / 2;
      unsynced += await cutOnce(run, { cut, copies, lies: false });
      const faults = auditOf(databaseOf(run), run);
      if (copies) faults.push(...(await auditCopy(run)));
      if (faults.length > 0) throw new Error(`after ${turn + 1} power cuts: ${faults.join('; ')}`);
    }
    const { length } = run.posted;
    await cutOnce(run, { cut: 'all', copies: false, lies: true });
    if (auditOf(databaseOf(run), run).length === 0)
      throw new Error('a disk that lies has lost nothing: the simulation does not work');
    const figure = (name: string, value: number, unit = ''): Figure => ({
      name,
      value,
      unit,
      below: undefined,
    });
    return [
      figure('power cuts on SQLite', times),
      figure('posts acknowledged, all there once', length),
      figure('posts that a copy had to have, all there', run.copied),
      figure('bytes that were not synced at the cuts', unsynced),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Run {
  readonly folder: string;
  readonly library: string;
  readonly chance: () => number;
  /** The ids of all that was acknowledged. */
  readonly posted: string[];
  /** How many of them, from the first, the copy had when the last load began. */
  copied: number;
}

const METRICS_TOKEN = 'let-me-see';
const databaseOf = ({ folder }: Run, name = 'data') => join(folder, name, 'parley.db');
const copyOf = ({ folder }: Run) => join(folder, 'copy');

async function cutOnce(
  run: Run,
  { cut, copies, lies }: { cut: Cut; copies: boolean; lies: boolean },
): Promise<number> {
  const { folder, library, chance, posted } = run;
  const journal = join(folder, 'journal');
  rmSync(journal, { force: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const platform = await startPlatform({
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: join(folder, 'data'),
    LD_PRELOAD: library,
    POWER_JOURNAL: journal,
    ...(copies && { COPY_TO: copyOf(run), METRICS_TOKEN }),
    ...(lies && { POWER_LIES: 'yes' }),
  });
  let running = true;
  const writing: Promise<void>[] = [];
  try {
    const client = new Client(url);
    if (copies) {
      await copied(client);
      run.copied = posted.length;
    }
    const email = `${port}-${posted.length}@example.org`;
    await client.post('/v1/users', {
      email,
      password: 'a password of length',
      first_name: 'Ada',
      last_name: '',
    });
    const team = await makeTeam({ id: '', email, client });
    const write = async () => {
      while (running) {
        const sent = client.post('/v1/messages', { text: 'Hello', addressed_teams: [team] });
        const answer = await sent.catch(() => undefined);
        if (answer?.status === 200) posted.push(answer.data[0].id);
      }
    };
    writing.push(...Array.from({ length: WRITERS }, write));
    await pause(chance() * LONGEST_MS);
  } finally {
    await platform.end('SIGKILL');
    running = false;
    await Promise.all(writing);
  }
  return cutPower(databaseOf(run), journal, cut, chance);
}

/** Waits until all that is in the database is in its copy. */
async function copied(client: Client): Promise<void> {
  const now = Date.now();
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  for (let at = 0; !(at > now); ) {
    if (Date.now() - now > COPIED_MS) throw new Error(`the copy does not go on after ${COPIED_MS} ms`);
    await pause(100);
    const { text } = await client.get('/metrics', { headers });
    at = 1000 * Number(/^parley_copy_until_timestamp_seconds (\S+)$/m.exec(text)?.[1]);
  }
}

/** Restores the copy, and looks at what it has. */
async function auditCopy(run: Run): Promise<string[]> {
  const restored = databaseOf(run, 'restored');
  rmSync(dirname(restored), { recursive: true, force: true });
  mkdirSync(dirname(restored));
  for (const key of ['encryption.key', 'cookie.key'])
    cpSync(join(dirname(databaseOf(run)), key), join(dirname(restored), key));
  const { code, output } = await runBinary(['restore', '--from', copyOf(run)], {
    cwd: run.folder,
    environment: { DATA_DIR: dirname(restored) },
  });
  if (code !== 0) return [`the copy cannot be restored: ${output}`];
  return auditOf(restored, { ...run, posted: run.posted.slice(0, run.copied) }).map(
    (fault) => `in the copy ${fault}`,
  );
}

/** Looks at a copy: opening the database brings it in order, which is the business of the next start. */
function auditOf(database: string, run: Run): string[] {
  const copy = join(run.folder, 'audit.db');
  for (const end of ['', '-wal', '-shm']) {
    rmSync(copy + end, { force: true });
    if (end !== '-shm' && existsSync(database + end)) cpSync(database + end, copy + end);
  }
  try {
    const db = new DatabaseSync(copy);
    const [check] = db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
    const rows = db.prepare('SELECT id, team_id, seq FROM messages ORDER BY team_id, seq').all() as {
      id: string;
      team_id: string;
      seq: number;
    }[];
    db.close();
    const stored = new Set(rows.map(({ id }) => id));
    const lost = run.posted.filter((id) => !stored.has(id)).length;
    const gaps = rows.filter(
      ({ team_id, seq }, n) => seq !== (rows[n - 1]?.team_id === team_id ? (rows[n - 1]?.seq ?? 0) : 0) + 1,
    );
    return [
      check?.integrity_check === 'ok' ? '' : `the database is damaged: ${check?.integrity_check}`,
      lost === 0 ? '' : `${lost} of ${run.posted.length} acknowledged posts are lost`,
      gaps.length === 0 ? '' : `${gaps.length} places have gaps`,
    ].filter((fault) => fault !== '');
  } catch (error) {
    return [`the database cannot be read: ${(error as Error).message}`];
  }
}
