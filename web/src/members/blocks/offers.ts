import { callOne } from '../../api/client.ts';
import { onLive } from '../../api/live.ts';
import type { Offer } from '../../api/types.ts';
import type { Surface } from './surface.ts';

/** A text that somebody types into an element that asks its application. */
interface Question {
  readonly block_id: string;
  readonly action_id: string;
  readonly value: string;
}

interface ShownOffer extends Offer {
  readonly id: string;
  readonly status: 'pending' | 'done' | 'failed';
}

/** The server gives the application three seconds. */
const WAIT_MS = 4500;

/** Asks an application for options. @throws when it does not answer in time */
export async function askOptions(
  { path, query = {} }: Surface,
  question: Question,
  signal: AbortSignal,
): Promise<Offer> {
  const ask = () => callOne<ShownOffer>(`${path}/options`, { method: 'POST', query, body: question, signal });
  // Listens first: the event may come before the answer that names it.
  const listening = listen(signal);
  try {
    const first = await ask();
    if (first.status === 'done') return first;
    if ((await listening.endOf(first.id)) !== 'failed') {
      const second = await ask();
      if (second.status === 'done') return second;
    }
    throw new Error('no options came');
  } finally {
    listening.stop();
  }
}

function listen(signal: AbortSignal) {
  const ended = new Map<string, ShownOffer['status']>();
  let look = () => {};
  const stop = onLive('interaction', ({ id, status }) => {
    if (status !== 'pending') ended.set(id, status);
    look();
  });
  /** @returns undefined where nothing was heard of it */
  const endOf = (id: string) =>
    new Promise<ShownOffer['status'] | undefined>((resolve) => {
      look = () => {
        if (ended.has(id)) resolve(ended.get(id));
      };
      look();
      setTimeout(resolve, WAIT_MS);
      signal.addEventListener('abort', () => resolve('failed'));
    });
  return { endOf, stop };
}
