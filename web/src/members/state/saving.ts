import { callOne } from '../../api/client.ts';
import type { Message } from '../../api/types.ts';
import { isDeleted } from './message-list.ts';
import { changeMessage, replaceMessage } from './messages.ts';

type Flag = 'saved' | 'pinned';

/** Sets or clears a flag at once; undone when the server refuses. */
async function toggle(message: Message, flag: Flag, path: string): Promise<void> {
  const isSet = message[flag] !== true;
  const put = (value: boolean) =>
    changeMessage(message.id, ({ [flag]: _, ...rest }) => ({ ...rest, ...(value && { [flag]: true }) }));
  put(isSet);
  try {
    const request = isSet ? { method: 'PUT' as const, body: {} } : { method: 'DELETE' as const };
    replaceMessage(await callOne<Message>(path, request));
  } catch (error) {
    put(!isSet);
    throw error;
  }
}

/** Saves a message for its reader alone, or removes it from what they have saved. */
export const save = (message: Message) => toggle(message, 'saved', `/v1/users/me/saved/${message.id}`);

/** Pins a message to its team, or unpins it. */
export const pin = (message: Message) =>
  toggle(message, 'pinned', `/v1/teams/${message.addressed_teams[0]}/pins/${message.id}`);

/** What all of a team read. */
export const isPinnable = (message: Message): boolean =>
  message.addressed_teams.length > 0 && message.sidebar === undefined && !isDeleted(message);
