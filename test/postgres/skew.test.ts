import { expect, it } from 'vitest';
import { allRows } from '../costs/rows.ts';
import { STAGE_ENVIRONMENT, setStage } from '../costs/stage.ts';
import { askAll, type Statement, tablesOf } from '../costs/statements.ts';
import { readingMore, skew } from '../support/plans.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';

/*
 * The ordinary request of every route, on PostgreSQL: its statements run again where nearly all rows of each table belong to the
 * same person, team, application and message. A plan looks alike for one row and for a million, so the rows are counted.
 */

const { server, host, ada, bob } = scene({
  people: ['Ada', 'Bob'],
  environment: STAGE_ENVIRONMENT,
  options: { workerIntervalMs: 3_600_000 },
});

const ROWS = 10_000;
/** Longer than the longest page, with all that stands on it. */
const MOST = 5000;

/** The rows to which others refer are made first. */
const FIRST = ['users', 'teams', 'applications', 'messages', 'sidebars', 'conversations', 'oauth_grants'];

/** As many as one person, team, message or application may have. */
const BOUNDED: Readonly<Record<string, number>> = {
  application_secrets: 10,
  application_steps: 10,
  applications: 500,
  conversation_users: 50,
  event_consumers: 60,
  event_subscriptions: 20,
  incoming_webhooks: 50,
  // Of the applications above.
  installations: 500,
  join_links: 100,
  people_group_users: 500,
  people_groups: 100,
  pictures: 20,
  push_subscriptions: 20,
  scheduled: 500,
  sidebar_users: 100,
  sidebars: 500,
  subjects: 200,
  unfurls: 100,
};

/** Statements that go through more, and why. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/^select \(?(?:select )?count\(/, 'counts for administrators'],
  [/"has_admin"/, 'for administrators: of each team on a page, until the first admin is found'],
  [/max\(place\)/, 'of workers: what is new since their last look, as all copies are'],
  [/^with "consumer"/, 'of workers: subscriptions by their teams, all of which are behind'],
  [/^select \* from "event_cursors"/, 'of a stream: a row for each team of an application'],
  [/"num_installations"/, 'all applications of one owner, each with the number of its teams'],
  [
    /^select "sidebars"/,
    'fifty sidebars beside one message, whose hundred people are one page of their table',
  ],
  [/^with "own" as/, 'all that one person has allowed, to answer the newest thousand'],
  [/^select \* from "objects"/, 'as if an application had deleted ten thousand objects and kept none'],
  [/from "mails" where "user_id"/, 'of one hour, in which one address gets a few'],
  [/from "invitation_mails" where "created_at"/, 'of one day, which all copies are of'],
  [/"messages"\."conversation_id", count\(\*\)/, 'all unread direct messages, to count them'],
  [/SELECT conversation_id FROM \(/, 'all open conversations of a team, which become read together'],
  [/"packed" from "memberships"|"time_zone", count\(\*\) as "people"/, 'all members of a team are asked for'],
  [
    /^(?:select|update) "memberships"|"connections"|"theirs"/,
    'a row for each team of a person, or person of their teams',
  ],
];

it('no request goes through all that one person, team or message has', async () => {
  const { db } = server.running;
  const stage = await setStage(server, host, [ada, bob]);
  const asked = new Map<string, Statement>();
  const rows = await allRows();
  await askAll(
    stage,
    rows.filter(({ spends }) => !spends),
    asked,
  );
  const tables = await tablesOf(stage);
  for (const name of new Set([...FIRST, ...tables])) await skew(db, name, BOUNDED[name] ?? ROWS);
  await runSql(db, 'ANALYZE');
  const others = [...asked.values()].filter(({ sql }) => !KNOWN.some(([text]) => text.test(sql)));
  const found = await readingMore(db, others, MOST);
  const isMet = ([text]: (typeof KNOWN)[number]) => [...asked.keys()].some((sql) => text.test(sql));
  expect(KNOWN.filter((known) => !isMet(known))).toEqual([]);
  expect(asked.size).toBeGreaterThan(350);
  expect(found).toEqual([]);
}, 120_000);
