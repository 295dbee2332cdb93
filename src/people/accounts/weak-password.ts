import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { InvalidFields } from '#api';
import { madeOnce } from '#platform/made-once.ts';

/** Facts that others know about the owner of the password. */
export interface Owner {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
}

const PRODUCT = 'parley';
/** Longer passwords are not weak because of their ending, and the check takes time. */
const LOOKED_AT = 64;
/** A zxcvbn score: over a million guesses, more than throttled sign-ins allow in years. */
const LEAST_SCORE = 2;
const LEAST_OF_ITS_OWN = 6;

/** The list of 50,000 breached passwords takes some megabytes, so it is loaded with the first new password. */
const estimator = madeOnce(async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
});

/** Refuses a new password that is easy to guess; existing ones stay valid. @throws InvalidFields */
export async function refuseWeakPassword(password: string, owner: Owner): Promise<void> {
  const known = knownOf(owner);
  if (isMadeOf(password, known)) {
    throw weak('must not be your address, your name or the name of the product: use a few unrelated words');
  }
  const { score } = (await estimator()).check(password.slice(0, LOOKED_AT), [...known]);
  if (score < LEAST_SCORE) {
    throw weak(
      'is easy to guess: it is common, was in a breach, or follows a pattern; use a few unrelated words',
    );
  }
}

const weak = (message: string) => new InvalidFields({ field: 'password', message });

function knownOf({ email, first_name, last_name }: Owner): readonly string[] {
  const words = [email, ...email.split(/[@.+_-]/), first_name, last_name, PRODUCT];
  const known = words.flatMap((word) => [word, ...word.split(/\s+/)]).map((word) => word.toLowerCase());
  return [...new Set(known)]
    .filter((word) => word.length >= 3)
    .sort((one, other) => other.length - one.length);
}

/** Whether little remains of the password without the words that others know. */
function isMadeOf(password: string, known: readonly string[]): boolean {
  let rest = password.toLowerCase();
  for (const word of known) rest = rest.replaceAll(word, '');
  const own = rest.replaceAll(/[^\p{L}\p{N}]/gu, '');
  return rest.length < password.length && own.length < LEAST_OF_ITS_OWN;
}
