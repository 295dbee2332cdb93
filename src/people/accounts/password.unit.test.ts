import { expect, it } from 'vitest';
import { TooManyRequests } from '#api';
import { passwordService } from './password.ts';

const somebody = { source: '192.0.2.1', known: false };
const other = { source: '192.0.2.2', known: false };

const { hash, verify } = passwordService();

it('a full queue refuses; unknown and known accounts behave alike', async () => {
  const work = Array.from({ length: 32 }, () => hash('a password of length', somebody));
  await expect(verify(undefined, 'guess', somebody)).rejects.toThrow(TooManyRequests);
  expect(await verify(undefined, 'guess', other)).toBe(false);
  const [stored] = await Promise.all(work);
  expect(await verify(stored, 'a password of length', somebody)).toBe(true);
  expect(await verify(stored, 'guess', somebody)).toBe(false);
  expect(await verify(undefined, 'guess', somebody)).toBe(false);
});

it('an account that is unknown is refused again after hashing failed once', async () => {
  const cost = { memoryCost: 1, timeCost: 2 };
  const passwords = passwordService(cost);
  await expect(passwords.verify(undefined, 'guess', somebody)).rejects.toThrow('too small');
  cost.memoryCost = 64;
  expect(await passwords.verify(undefined, 'guess', somebody)).toBe(false);
});
