import { call } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Message } from '../../api/types.ts';
import { LISTS, listOf } from './lists.ts';

/** In one request. */
const MOST_ASKED = 20;
/** Messages that come into view together are asked for together. */
const GATHERED_MS = 20;

type Asked = PromiseWithResolvers<Message | null>;
let waiting = new Map<string, Asked>();

/** @returns null for what is not there, or not for this reader */
function ask(id: string): Promise<Message | null> {
  const known = waiting.get(id);
  if (known) return known.promise;
  if (waiting.size === 0) setTimeout(askTogether, GATHERED_MS);
  const asked = Promise.withResolvers<Message | null>();
  waiting.set(id, asked);
  return asked.promise;
}

function askTogether(): void {
  const all = [...waiting];
  waiting = new Map();
  for (let at = 0; at < all.length; at += MOST_ASKED) void answer(all.slice(at, at + MOST_ASKED));
}

async function answer(asked: readonly (readonly [string, Asked])[]): Promise<void> {
  try {
    const query = { messages: asked.map(([id]) => id).join() };
    const { data } = await call<Message | null>('/v1/quotes', { query });
    asked.forEach(([, { resolve }], at) => {
      resolve(data[at] ?? null);
    });
  } catch (error) {
    for (const [, { reject }] of asked) reject(error);
  }
}

const QUOTE = 'quote';
/** Events tell of changes. Without one, a message that comes into view again is asked for after this time. */
const FRESH_MS = 60_000;

/** A message to which others refer, as a list of its own; an empty one for a reader who may not see it. */
export const quoteQuery = (id: string) =>
  listOf(
    [...LISTS, QUOTE, id],
    async () => {
      const message = await ask(id);
      return { messages: message ? [message] : [], older: null, newer: null };
    },
    FRESH_MS,
  );

/** The reader's rights have changed: what was quoted goes at once, and comes back as far as it is still theirs. */
export function forgetQuotes(): void {
  void queryClient.resetQueries({ queryKey: [...LISTS, QUOTE] });
}
