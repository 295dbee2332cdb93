import { beforeAll, expect, it } from 'vitest';
import { growth, MOST_GROWTH } from '../support/growth.ts';
import { scene } from '../support/scene.ts';
import { inputsOf, ordinary } from './inputs.ts';
import { noteCost } from './report.ts';
import { allRows, ordinaryOf } from './rows.ts';
import { problemOf, send } from './send.ts';
import { STAGE_ENVIRONMENT, type Stage, setStage } from './stage.ts';

/*
 * Each route is sent the longest texts, lists, open values, paths and queries that its schema lets through, and as much as a body
 * holds where it does not. It takes about four times what a quarter of that takes, and does not hold others up for longer.
 */

const { server, host, ada, bob } = scene({ people: ['Ada', 'Bob'], environment: STAGE_ENVIRONMENT });
let stage: Stage;
const rows = await allRows();
const unanswered: (string | undefined)[] = [];

beforeAll(async () => {
  stage = await setStage(server, host, [ada, bob]);
  for (const row of rows.filter(({ spends }) => !spends))
    unanswered.push(problemOf(row, await send(row, stage, ordinary(row, ordinaryOf(row, stage)))));
});

it('each route answers the request that is made worse (claim: costs-grow-with-size)', () => {
  expect(unanswered.filter(Boolean)).toEqual([]);
});

it.each(rows.map((row) => [row.name, row] as const))('%s', async (name, row) => {
  const slow: string[] = [];
  for (const { what, ask } of inputsOf(row, ordinaryOf(row, stage, true))) {
    const found = await growth((share) => send(row, stage, ask(share)));
    noteCost(`${name} ${what}`, found);
    if (found.times > MOST_GROWTH) slow.push(`${what}: ${JSON.stringify(found)}`);
    // One is enough to fail, and may take minutes.
    if (slow.length > 0) break;
  }
  expect(slow).toEqual([]);
});
