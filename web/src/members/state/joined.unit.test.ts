import { expect, it } from 'vitest';
import type { UserSummary } from '../../api/types.ts';
import { AT_END, joinedBetween } from './joined.ts';

const at = (time: number) => ({ user: { id: `u${time}` } as UserSummary, joined_at: time });
const times = [
  { id: 'one', at: 10 },
  { id: 'two', at: 20 },
];
const whole = { begins: true, ends: true };
const shown = (...of: Parameters<typeof joinedBetween>) =>
  [...joinedBetween(...of)].map(([key, { people, count }]) => [key, people.map(({ id }) => id), count]);

it('people stand before the first message after they joined, one line for all of a gap', () => {
  const joined = [5, 11, 12, 13, 25].map(at);
  expect(shown({ joined, total: 5 }, times, whole)).toEqual([
    ['one', ['u5'], 1],
    ['two', ['u11', 'u12'], 3],
    [AT_END, ['u25'], 1],
  ]);
});

it('beyond the ends of a part of the list nobody is named', () => {
  const joined = [5, 15, 25].map(at);
  expect(shown({ joined, total: 3 }, times, { begins: false, ends: false })).toEqual([['two', ['u15'], 1]]);
});

it('thousands are counted with the first that are known', () => {
  expect(shown({ joined: [at(15)], total: 5000 }, times, whole)).toEqual([['two', ['u15'], 5000]]);
});
