import { expect, it } from 'vitest';
import { TooManyRequests } from '../api/index.ts';
import { hashPassword, verifyPassword } from './password.ts';

const somebody = { source: '192.0.2.1', known: false };
const other = { source: '192.0.2.2', known: false };

it('more than can wait are refused; later nobody is told an unknown account from a known one', async () => {
  const work = Array.from({ length: 32 }, () => hashPassword('a password of length', somebody));
  await expect(verifyPassword(undefined, 'guess', somebody)).rejects.toThrow(TooManyRequests);
  expect(await verifyPassword(undefined, 'guess', other)).toBe(false);
  const [stored] = await Promise.all(work);
  expect(await verifyPassword(stored, 'a password of length', somebody)).toBe(true);
  expect(await verifyPassword(stored, 'guess', somebody)).toBe(false);
  expect(await verifyPassword(undefined, 'guess', somebody)).toBe(false);
});
