import { expect, it } from 'vitest';
import { isDue } from './due.ts';

it.each([
  [99, false],
  [100, true],
  [1000, true],
  // Set back by less than an interval, and by more.
  [90, false],
  [89, true],
  [-1000, true],
])('what is due at 100 and each 10 from then on, at %i: %s', (now, due) => {
  expect(isDue(now, 100, 10)).toBe(due);
});
