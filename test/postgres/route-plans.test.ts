import { expect, it } from 'vitest';
import { allRows } from '../costs/rows.ts';
import { STAGE_ENVIRONMENT, type Stage, setStage } from '../costs/stage.ts';
import { askAll, type Statement, tablesOf } from '../costs/statements.ts';
import { enlarge, readThrough } from '../support/plans.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';

/*
 * The ordinary request of every route, on PostgreSQL: its statements are planned again where each table is large, without
 * statistics as right after a restore, and with them.
 */

const { server, host, ada, bob } = scene({
  people: ['Ada', 'Bob'],
  environment: STAGE_ENVIRONMENT,
  options: { workerIntervalMs: 3_600_000 },
});

const ROWS = 8000;

/** Tables and indexes that a statement may go through, by its beginning or by what is in it, and why. */
const KNOWN: readonly (readonly [RegExp, readonly string[], string])[] = [
  [
    /"webhook_url"|"webhook_place"|with "consumer"/,
    ['event_subscriptions', 'event_consumers', 'event_cursors', 'applications'],
    'of workers: webhooks grow with what owners of applications set up',
  ],
  [
    /"(?:next_attempt_at|due_at)" is not null/,
    ['deliveries', 'mails', 'mail_jobs', 'pushes', 'push_subscriptions', 'scheduled'],
    'of workers and of the state of queues: every copied row is due',
  ],
  [
    /^select \(?(?:select )?count\(/,
    ['attachments', 'users', 'teams', 'applications', 'installations', 'event_subscriptions'],
    'counts for administrators',
  ],
  [/^select "id" from "users" limit/, ['users'], 'the first row, of any'],
  [
    /from "applications"/,
    ['applications', 'users'],
    'the directory, and all applications for administrators: what developers register',
  ],
  [/"domain_rules"/, ['teams'], 'for administrators: rules are few'],
  [
    /^delete from "(?:invitation_mails|oauth_codes|invitations|mail_jobs)"/,
    ['invitation_mails', 'oauth_codes', 'invitations', 'mail_jobs'],
    'at the end of an account: rows of a day, or of one address, which all copies have',
  ],
  [
    /^delete from "event_cursors"/,
    ['event_cursors'],
    'a row for each team of a subscription, when that is deleted',
  ],
  [/max\(place\)/, ['events'], 'of workers: what is new since their last look, as all copies are'],
  [/left join "sidebar_users"/, ['sidebar_users'], 'for an archive, which is made once'],
  [/from "invitation_mails"/, ['invitation_mails'], 'of one day, which all copies are of'],
  [
    /as "newest_id"|as "marked"/,
    ['read_marks_unread', 'messages_by_subject'],
    'no copies are in these indexes, so that they are the shortest way',
  ],
  [
    /^select "invitations".*"newer"/,
    ['teams_pkey'],
    'in order, as far as the team of an invitation: nearly all copies come after it',
  ],
];

/** Indexes that stay small while their tables grow, and what is in them. A statement may go through one. */
const SMALL: Readonly<Record<string, string>> = {
  deliveries_leased: 'calls that are under way',
  events_unplaced: 'what happened a moment ago',
  installations_pending: 'installations that wait for the answer of an application',
  teams_to_erase: 'teams that were deleted, and can be restored still',
  users_superuser: 'administrators of the server',
};

/** Without statistics PostgreSQL takes a person to be in a two-hundredth of all teams, and begins with the teams. */
const OF_MANY_TEAMS =
  /"teams"\."id" = "memberships"\."team_id"|"teams" where "id" in \(select "team_id" from "memberships"/;

it('no request goes through a large table of PostgreSQL, with statistics or before there are any', async () => {
  const { db } = server.running;
  const stage = await setStage(server, host, [ada, bob]);
  const asked = new Map<string, Statement>();
  const rows = await allRows();
  await askAll(
    stage,
    rows.filter(({ spends }) => !spends),
    asked,
  );
  const large = await enlargeAll(stage);
  await askAll(
    stage,
    rows.filter(({ spends }) => spends),
    asked,
  );

  const found: string[] = [];
  const look = async (when: string, ignore: (sql: string, table: string) => boolean) => {
    for (const one of asked.values()) {
      const through = (await readThrough(db, one))
        .filter(({ table }) => large.has(table) && !isKnown(one.sql, table) && !ignore(one.sql, table))
        .map(({ table, index }) => index ?? table)
        .filter((name) => !(name in SMALL) && !isKnown(one.sql, name));
      if (through.length > 0) found.push(`${when}, ${one.by}: ${through.join(', ')}: ${one.sql}`);
    }
  };
  await look('without statistics', (sql, table) => table === 'teams' && OF_MANY_TEAMS.test(sql));
  await runSql(db, 'ANALYZE');
  await look('with statistics', () => false);
  expect(asked.size).toBeGreaterThan(400);
  expect(large.size).toBeGreaterThan(40);
  expect(found).toEqual([]);
});

const isKnown = (sql: string, name: string): boolean =>
  KNOWN.some(([text, names]) => text.test(sql) && names.includes(name));

/** Copies rows of all tables that have some. @returns their names */
async function enlargeAll(stage: Stage): Promise<ReadonlySet<string>> {
  const { db } = server.running;
  const large = new Set<string>();
  for (const name of await tablesOf(stage)) {
    await runSql(db, `ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
    if ((await runSql(db, `SELECT 1 FROM ${name} LIMIT 1`)).length === 0) continue;
    await enlarge(db, [name], ROWS);
    large.add(name);
  }
  return large;
}
