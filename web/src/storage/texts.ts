import { kept } from './kept.ts';

/** What a draft, an edit and a message that waits to be sent have in common. */
interface Written {
  readonly files?: readonly { readonly bytes?: string }[];
  readonly waiting?: readonly { readonly key: string }[];
}

/** The names of the bytes that a draft, or a message that is not sent yet, needs. */
export function bytesOf(written: unknown): string[] {
  const { files = [], waiting = [] } = written as Written;
  return [...files.flatMap(({ bytes }) => bytes ?? []), ...waiting.map(({ key }) => key)];
}

/** How the names of texts begin that a user has begun to write, or sent without a connection. */
const kindsOf = (userId: string) => ['draft', 'edit', 'outbox'].map((kind) => `${kind}.${userId}.`);

/** How many texts of a user are in this browser alone. */
export const countTexts = (userId: string) => kindsOf(userId).flatMap((prefix) => kept.names(prefix)).length;

/** Removes the texts of a user from this browser, with their files. */
export async function forgetTexts(userId: string): Promise<void> {
  for (const name of kindsOf(userId).flatMap((prefix) => kept.names(prefix))) kept.remove(name);
  await kept.settled();
  // A storage that has gone keeps no files either.
  await kept.sweepFiles(bytesOf).catch(() => undefined);
}
