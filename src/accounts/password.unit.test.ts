import { expect, it } from 'vitest';
import { Unavailable } from '../api/index.ts';
import { hashPassword, verifyPassword } from './password.ts';

it('more than can wait are refused; later nobody is told an unknown account from a known one', async () => {
  const work = Array.from({ length: 102 }, () => hashPassword('a password of length'));
  await expect(verifyPassword(undefined, 'guess')).rejects.toThrow(Unavailable);
  const [stored] = await Promise.all(work);
  expect(await verifyPassword(stored, 'a password of length')).toBe(true);
  expect(await verifyPassword(stored, 'guess')).toBe(false);
  expect(await verifyPassword(undefined, 'guess')).toBe(false);
});
