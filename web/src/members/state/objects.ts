import type { Query } from '@tanstack/react-query';
import { queryClient } from '../../api/queries.ts';
import type { Message } from '../../api/types.ts';
import { findWhere, readAgain } from './messages.ts';

const mentions =
  (object: string) =>
  ({ mentions: all }: Message) =>
    all.some(({ id }) => id === object);

/**
 * Reads the messages again that mention a changed object, the newest first.
 * @param spread gives the range of a random delay, so that thousands of readers do not ask at the same time
 */
export async function refreshObject(object: string, spread: (message: Message) => number): Promise<void> {
  const found = findWhere(mentions(object)).sort((a, b) => (a.id < b.id ? 1 : -1));
  // The inbox and found messages hold messages of their own.
  const holds = ({ state }: Query) => JSON.stringify(state.data)?.includes(object) === true;
  const [newest] = found;
  if (newest) await new Promise((done) => setTimeout(done, Math.random() * spread(newest)));
  void queryClient.invalidateQueries({ predicate: holds });
  for (const { id } of found) await readAgain(id);
}
