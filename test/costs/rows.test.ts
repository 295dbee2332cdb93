import { beforeAll, expect, it } from 'vitest';
import { costOf, growth, MOST_GROWTH } from '../support/growth.ts';
import { ordinary } from './inputs.ts';
import { noteCost } from './report.ts';
import { allRows, ordinaryOf, type Row } from './rows.ts';
import { problemOf, send } from './send.ts';
import { Worlds } from './worlds.ts';

/*
 * A page takes the same time however much there is, and so does what is about one thing. What answers with all of something
 * takes four times as long for four times as much.
 */

/** Of each row of a stage. */
const COPIES = 2000;
/** For what reads everything, and for what is asked once. */
const FEW_COPIES = 240;
/** Times as long as with a quarter of the rows, for what does not depend on how many there are. */
const MOST_OF_BOUNDED = 2.5;
/** Of one measurement: a short answer takes too little time to be measured alone. */
const REQUESTS = 5;
const SHORT_ANSWER = 100_000;
/** A longer answer has more of something in it. */
const MUCH_LONGER = 1.3;
/** For what is asked once, where noise cannot be told from the rest. In milliseconds. */
const LITTLE = 100;

const [large, small, spent] = [new Worlds(COPIES), new Worlds(FEW_COPIES), new Worlds(FEW_COPIES)];
const rows = await allRows();

beforeAll(async () => {
  for (const worlds of [large, small, spent]) await worlds.fill();
});

const ask = (row: Row, worlds: Worlds, share: number) =>
  send(row, worlds.at(share), ordinary(row, ordinaryOf(row, worlds.at(share))));

it.each(rows.filter(({ spends }) => !spends).map((row) => [row.name, row] as const))(
  '%s',
  async (name, row) => {
    const worlds = row.whole ? small : large;
    const [quarter, whole] = [await ask(row, worlds, 1 / 4), await ask(row, worlds, 1)];
    const requests = whole.text.length > SHORT_ANSWER ? 1 : REQUESTS;
    const mayGrow = row.grows !== undefined || whole.text.length > quarter.text.length * MUCH_LONGER;
    const most = mayGrow ? MOST_GROWTH : MOST_OF_BOUNDED;
    const found = await growth(async (share) => {
      for (let request = 0; request < requests; request++) await ask(row, worlds, share);
    }, most);
    noteCost(`${name} (${whole.text.length} bytes, ${requests} times)`, found);
    expect(found.times, JSON.stringify(found)).toBeLessThanOrEqual(most);
  },
);

it('what ends something does not take much longer where there is more of it', async () => {
  const slow: string[] = [];
  for (const row of rows.filter(({ spends }) => spends)) {
    const measure = (share: number) =>
      costOf(async () => {
        slow.push(...[problemOf(row, await ask(row, spent, share)) ?? []].flat());
      });
    const [quarter, whole] = [await measure(1 / 4), await measure(1)];
    noteCost(`${row.name} (once)`, { ...whole, times: whole.cpu / quarter.cpu });
    if (whole.cpu > Math.max(LITTLE, MOST_GROWTH * quarter.cpu))
      slow.push(`${row.name}: ${JSON.stringify(whole)}`);
  }
  expect(slow).toEqual([]);
});
