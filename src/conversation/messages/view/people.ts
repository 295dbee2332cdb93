import { InvalidFields } from '#api';
import { parseId } from '#platform/ids.ts';
import { conversationOf, MOST_PEOPLE } from './conversation-id.ts';

/** The people of a conversation, the reader among them. It need not exist. */
export interface People {
  readonly id: string;
  readonly people: readonly string[];
}

/** @param text ids, separated by commas @throws InvalidFields */
export function readWith(text: string, userId: string): People {
  const given = text.split(',').map((id) => parseId(id.trim()));
  const known = given.filter((id) => id !== undefined);
  if (known.length < given.length)
    throw new InvalidFields({ field: 'with', message: 'must be ids of users, separated by commas' });
  const people = new Set([userId, ...known]);
  if (people.size > MOST_PEOPLE + 1)
    throw new InvalidFields({ field: 'with', message: `must be at most ${MOST_PEOPLE} people` });
  return { id: conversationOf(people), people: [...people] };
}
