import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shortStyle } from './time.tsx';

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 10, 29, 12) }));

afterEach(() => void vi.useRealTimers());

it.each([
  [new Date(2026, 10, 29, 23), false],
  [new Date(2026, 10, 29, 0, 1), false],
  [new Date(2026, 10, 28, 23), true],
  [new Date(2026, 11, 29, 9), true],
  [new Date(2027, 10, 29, 9), true],
])('%s has its day beside it: %s', (date, isDated) => {
  expect('day' in shortStyle(date) || 'dateStyle' in shortStyle(date)).toBe(isDated);
});
