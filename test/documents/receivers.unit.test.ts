import { expect, it } from 'vitest';
import { faultsOf } from '../support/receivers.ts';

const events = (...ids: string[]) => ids.map((id) => ({ id, team: id.charAt(0) }));
const log = events('a1', 'b1', 'a2', 'b2', 'a3');

it.each([
  ['what is as the log', events('b1', 'a1', 'a2', 'a3', 'b2'), []],
  ['what is missing', events('a1', 'a3', 'b1', 'b2'), ['a: 1 are missing, the first is a2']],
  ['what comes twice', events('a1', 'a2', 'a1', 'a3', 'b1', 'b2'), ['a: 1 were handled again']],
  ['another order', events('a1', 'a3', 'a2', 'b1', 'b2'), ['a: the order is wrong from a2 on']],
  ['what the log does not have', [...log, ...events('b9')], ['b: 1 are not in the log, such as b9']],
  [
    'an order that is wrong after a gap',
    events('a3', 'a1', 'b1', 'b2'),
    ['a: 1 are missing, the first is a2', 'a: the order is wrong from a1 on'],
  ],
])('the audit of receivers sees %s', (_, handled, faults) => {
  expect(faultsOf(handled, log)).toEqual(faults);
});
