import { expect, it } from 'vitest';
import { madeOnce } from './made-once.ts';

it('makes a thing once for callers at the same time and later, and again after a failure', async () => {
  let tries = 0;
  const made = madeOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return tries;
  });
  const failed = await Promise.allSettled([made(), made()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([made(), made()])).toEqual([2, 2]);
  expect(await made()).toBe(2);
});
