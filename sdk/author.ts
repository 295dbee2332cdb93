import { randomUUID } from 'node:crypto';
import type { Caller, Items } from './caller.ts';
import type {
  LaterMessage,
  Message,
  NewMessage,
  NewReply,
  ScheduledChange,
  ScheduledMessage,
  WallTime,
} from './types.ts';

/** Posts, answers and reads messages: on behalf of a user, or as the application itself. */
export class MessageAuthor {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** @throws ParleyError with code 4040 for one that the user or the token does not see */
  message(id: string): Promise<Message> {
    return this.caller.one({ method: 'GET', path: messagePath(id) });
  }

  /** The answers to a message, the oldest first. */
  replies(message: string): Items<Message> {
    return this.caller.items(`${messagePath(message)}/replies`);
  }

  /** The content of an upload. */
  download(attachment: string): Promise<Uint8Array> {
    return this.caller.file(`/v1/attachments/${encodeURIComponent(attachment)}`);
  }

  /**
   * Posts a message.
   * @param key names this message for a day: posting again with the same key and content gives the first answer
   *   again. Without one, each call posts, and only a lost answer is repeated.
   */
  postMessage(message: NewMessage, key: string = randomUUID()): Promise<Message> {
    return this.caller.one({ method: 'POST', path: '/v1/messages', json: message, key });
  }

  /** Answers a message. @param key as in `postMessage` */
  reply(message: string, reply: string | NewReply, key: string = randomUUID()): Promise<Message> {
    const json = typeof reply === 'string' ? { text: reply } : reply;
    return this.caller.one({ method: 'POST', path: `${messagePath(message)}/replies`, json, key });
  }

  /**
   * Gives a message of one's own another text, or other blocks.
   * @returns the message; undefined for the token of a person that may write and not read
   */
  editMessage(
    id: string,
    change: string | Pick<NewMessage, 'text' | 'format' | 'blocks'>,
  ): Promise<Message | undefined> {
    const json = typeof change === 'string' ? { text: change } : change;
    return this.caller.first({ method: 'PATCH', path: messagePath(id), json });
  }

  /** The text is gone for everybody; the replies stay. */
  async deleteMessage(id: string): Promise<void> {
    await this.caller.all({ method: 'DELETE', path: messagePath(id) });
  }

  /**
   * Sends a message at a time, with the rights that there are then. What could not be posted now is refused now.
   * @param key as in `postMessage`
   * @throws ParleyError as posting does, and with code 4002 for a time that is over
   */
  schedule(message: LaterMessage, sendAt: WallTime, key: string = randomUUID()): Promise<ScheduledMessage> {
    return this.caller.one({
      method: 'POST',
      path: scheduledPath(),
      json: { send_at: sendAt, message },
      key,
    });
  }

  /** The scheduled messages of the application that this token may see, the next one first. */
  scheduled(): Items<ScheduledMessage> {
    return this.caller.items(scheduledPath());
  }

  /**
   * Gives one another time or content, or sends it now.
   * @throws ParleyError with code 4090 and the reason `already_sent`, and as `schedule` does
   */
  changeScheduled(id: string, change: ScheduledChange): Promise<ScheduledMessage> {
    return this.caller.one({ method: 'PATCH', path: scheduledPath(id), json: change });
  }

  /** It is not sent. @throws ParleyError with code 4040 for one that the token does not see */
  async cancelScheduled(id: string): Promise<void> {
    await this.caller.all({ method: 'DELETE', path: scheduledPath(id) });
  }
}

const scheduledPath = (id?: string) =>
  `/v1/users/me/scheduled_messages${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

/** Of the pins of a team, or of one of them. */
export const pinsPath = (team: string, message?: string) =>
  `/v1/teams/${encodeURIComponent(team)}/pins${message === undefined ? '' : `/${encodeURIComponent(message)}`}`;

/** The address of a message. */
export const messagePath = (id: string) => `/v1/messages/${encodeURIComponent(id)}`;
