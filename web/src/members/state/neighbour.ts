import type { Neighbour } from './message-list.ts';
import { findMessage } from './messages.ts';
import { asNeighbour, type Unsent } from './outbox.ts';

/** The place of a message, by its id, or of one that is not sent yet. */
export const neighbourOf = (one: string | Unsent | undefined): Neighbour | undefined =>
  typeof one === 'object' ? asNeighbour(one) : findMessage(one);
