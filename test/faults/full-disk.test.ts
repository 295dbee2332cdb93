import { beforeEach, expect, it } from 'vitest';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

const { server, ada } = scene({
  people: ['Ada'],
  // The server reports the last write's result: no worker may write between two checks.
  options: { workerIntervalMs: 3_600_000 },
  each: true,
});
let team: string;

beforeEach(async () => {
  team = await makeTeam(ada);
});

const post = (text: string) => ada.client.post('/v1/messages', { text, addressed_teams: [team] });

/**
 * Each database says it as it does when its disk is full: SQLite has a limit of its own, PostgreSQL a trigger that
 * raises it.
 */
async function fillDisk(): Promise<void> {
  const { db } = server.running;
  if (db.dialect === 'sqlite') {
    const [row] = await db.all<{ page_count: number }>('PRAGMA page_count', []);
    await runSql(db, `PRAGMA max_page_count = ${row?.page_count}`);
    return;
  }
  await runSql(
    db,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
  );
  await runSql(db, 'CREATE TRIGGER refuse BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION refuse()');
}

async function freeDisk(): Promise<void> {
  const { db } = server.running;
  if (db.dialect === 'sqlite') await runSql(db, 'PRAGMA max_page_count = 1073741823');
  else await runSql(db, 'DROP TRIGGER refuse ON messages');
}

/**
 * Messages that fit into existing pages are still stored. A search indexes all that waits for the index, so that the
 * index's own rounds write nothing between the refusal and the check.
 */
async function postUntilRefused() {
  for (;;) {
    await ada.client.get('/v1/messages?q=before');
    const answer = await post('x'.repeat(15_000));
    if (answer.status !== 200) return answer;
  }
}

it('on a full disk writes are refused with a reason, until there is room again (claim: full-disk)', async () => {
  await post('before');
  await fillDisk();
  const refused = await postUntilRefused();
  expect(refused.body.errors).toEqual([
    { code: 5030, reason: 'disk_full', message: expect.stringContaining('disk is full') },
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // A write that still found room takes the warning back, until the next one is refused.
  await until(async () => {
    await postUntilRefused();
    const { status, body } = await ada.client.get('/readyz');
    return status === 200 && body.status === 'ready' && /disk/.test(body.warnings?.[0]);
  });
  expect((await ada.client.get(`/v1/messages?team=${team}`)).data.map(({ text }) => text)).toContain(
    'before',
  );

  await freeDisk();
  expect((await post('after')).status).toBe(200);
  expect((await ada.client.get('/readyz')).body).toEqual({ status: 'ready' });
});
