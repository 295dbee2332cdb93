import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { makeTeam } from '../support/people.ts';
import { root } from '../support/process.ts';
import { scene } from '../support/scene.ts';

/* The alert rules, the dashboard and the table of the documents name what a server shows, and all of it. */

const sqlite = process.env.TEST_DATABASE === 'sqlite';
const TOKEN = 'let-me-see';
const copy = newFolder();
afterAll(() => rmSync(copy, { recursive: true, force: true }));
const { server, ada } = scene({
  people: ['Ada'],
  environment: { METRICS_TOKEN: TOKEN, ADMIN_BACKUP: 'on', ...(sqlite && { COPY_TO: copy }) },
});

/** Series of servers of the other kind, of several processes, or with a replica. */
const ELSEWHERE = [
  'parley_processes_silent',
  'parley_replica_up',
  'parley_lists_total',
  ...(sqlite
    ? ['parley_database_connections', 'parley_database_waiting', 'parley_database_wait_seconds']
    : [
        'parley_sqlite_log_bytes',
        'parley_copy_until_timestamp_seconds',
        'parley_copy_uploads_waiting',
        'parley_copy_bytes_total',
        'parley_copy_failures_total',
        'parley_copy_gaps_total',
      ]),
];

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const namesIn = (text: string) =>
  new Set(
    [...text.matchAll(/\b(?:parley|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(?:bucket|count|sum)$/, ''),
    ),
  );
/** What expressions use, of rules and of panels. */
const RULES = namesIn(read('deploy/monitoring/parley.rules.yml'));
const DASHBOARD = namesIn(
  JSON.stringify(
    JSON.parse(read('deploy/monitoring/grafana.json')).panels.map(
      ({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr),
    ),
  ),
);

async function scrape(): Promise<string> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  return (await server.anonymous().get('/metrics', { headers })).text;
}
const value = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  );

it('rules and dashboard name series that a server shows; dashboard and documents, all of them (claim: monitoring)', async () => {
  expect((await ada.client.get('/v1/admin/backup')).status).toBe(200);
  const shown = new Set([...(await scrape()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  for (const name of [...RULES, ...DASHBOARD])
    expect([name, shown.has(name) || ELSEWHERE.includes(name)]).toEqual([name, true]);
  for (const name of ELSEWHERE) expect([name, shown.has(name)]).toEqual([name, false]);
  const own = [...shown].filter((name) => name?.startsWith('parley_'));
  const documented = namesIn(read('docs/operations/watch.md'));
  expect(own.length).toBeGreaterThan(15);
  expect(own.filter((name) => !DASHBOARD.has(name as string) && !RULES.has(name as string))).toEqual([]);
  expect(own.filter((name) => !documented.has(name as string))).toEqual([]);
});

it('each alert says what to do, and how grave it is', () => {
  const alerts = read('deploy/monitoring/parley.rules.yml')
    .split(/^ +- alert: /m)
    .slice(1);
  expect(alerts.length).toBeGreaterThan(10);
  for (const alert of alerts)
    expect(alert).toMatch(
      /expr: [\s\S]+severity: (?:critical|warning|info) [\s\S]+summary: '.+'\n +description: '.+'/,
    );
});

it('commits, connections and the disk are measured', async () => {
  const steps = sqlite ? ['write', 'sync'] : ['commit'];
  const commits = async () => {
    const text = await scrape();
    return steps.map((step) => value(text, `parley_database_commit_seconds_count{step="${step}"}`));
  };
  const before = await commits();
  await makeTeam(ada);
  for (const [index, count] of (await commits()).entries())
    expect(count).toBeGreaterThan(before[index] as number);
  const text = await scrape();
  expect(value(text, 'parley_disk_free_bytes')).toBeGreaterThan(0);
  expect(value(text, 'parley_disk_size_bytes')).toBeGreaterThanOrEqual(value(text, 'parley_disk_free_bytes'));
  expect(text).toMatch(/^parley_build_info\{version="\d+\.\d+\.\d+",database="(?:sqlite|postgres)"\} 1$/m);
  expect(value(text, 'parley_database_full')).toBe(0);
  if (sqlite) expect(value(text, 'parley_sqlite_log_bytes')).toBeGreaterThan(0);
  else expect(value(text, 'parley_database_connections{pool="writers",state="idle"}')).toBeGreaterThan(0);
});

it('a backup is known by its time', async () => {
  const begun = Math.floor(server.clock.now() / 1000);
  expect((await ada.client.get('/v1/admin/backup')).status).toBe(200);
  expect(value(await scrape(), 'parley_last_backup_timestamp_seconds')).toBeGreaterThanOrEqual(begun);
});

it.skipIf(sqlite)('a wait for a connection is counted while it lasts, and when it is over', async () => {
  const { db } = server.running;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const many = Array.from({ length: 40 }, () => db.write(() => held));
  const waiting = value(await scrape(), 'parley_database_waiting{pool="writers"}');
  release();
  await Promise.all(many);
  expect(waiting).toBeGreaterThan(0);
  const text = await scrape();
  expect(value(text, 'parley_database_waiting{pool="writers"}')).toBe(0);
  expect(value(text, 'parley_database_wait_seconds_count')).toBeGreaterThanOrEqual(waiting);
});
