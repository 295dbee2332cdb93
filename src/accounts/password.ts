import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { Unavailable } from '../api/index.ts';

/** OWASP's parameters for Argon2id, which is the library's default algorithm: 19 MiB, two passes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const AT_ONCE = 2;
const MAX_WAITING = 100;

/** Hashing uses the thread pool, which file and name look-ups need too: only a few at once. */
const limit = pLimit(AT_ONCE);

function queued<T>(work: () => Promise<T>): Promise<T> {
  if (limit.pendingCount >= MAX_WAITING) throw new Unavailable();
  return limit(work);
}

export async function hashPassword(password: string): Promise<string> {
  return queued(() => hash(password, OPTIONS));
}

/** What an unknown address is compared with, so that it takes as long as a known one. */
let nobody: Promise<string> | undefined;

/** @param stored undefined when there is no such account: then it takes as long, and is false */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  // Outside of the queue: one that is full must not spoil it for as long as the server runs.
  nobody ??= hash('no account has this password', OPTIONS);
  const matches = await queued(async () => verify(stored ?? (await nobody) ?? '', password));
  return matches && stored !== undefined;
}
