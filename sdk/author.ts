import { randomUUID } from 'node:crypto';
import type { Caller, Items } from './caller.ts';
import { FILE_TIMEOUT_MS } from './files.ts';
import type {
  Attachment,
  LaterMessage,
  Message,
  NewMessage,
  NewReply,
  Reaction,
  ScheduledChange,
  ScheduledMessage,
  WallTime,
} from './types.ts';

/** A file to upload. */
export interface NewFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

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

  /**
   * The reactions to a message with their people, the newest first; an application as itself needs `reactions:read`.
   * @param emoji of this one alone, in any skin tone
   */
  reactions(message: string, emoji?: string): Items<Reaction> {
    return this.caller.items(reactionsPath(message), { emoji });
  }

  /**
   * Giving it again changes at most its skin tone.
   * An application as itself needs `reactions:write`.
   * @param emoji one of Unicode, or the name of a custom one
   * @throws ParleyError with code 4002 for what is no emoji, and 4090 for a message that has 20 different ones
   */
  react(message: string, emoji: string): Promise<Message | undefined> {
    return this.caller.first({ method: 'PUT', path: reactionPath(message, emoji) });
  }

  withdrawReaction(message: string, emoji: string): Promise<Message | undefined> {
    return this.caller.first({ method: 'DELETE', path: reactionPath(message, emoji) });
  }

  /** The content of an upload. */
  download(attachment: string): Promise<Uint8Array> {
    return this.caller.file(`/v1/attachments/${encodeURIComponent(attachment)}`);
  }

  /**
   * Uploads a file. A message takes it up by `attachments: { files: [id] }`. An application as itself needs `files:write`.
   * @param key as in `postMessage`
   */
  upload(file: NewFile, key: string = randomUUID()): Promise<Attachment> {
    const { name, content } = file;
    const form = new FormData();
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
    return this.caller.one({
      method: 'POST',
      path: '/v1/attachments',
      form,
      key,
      timeoutMs: FILE_TIMEOUT_MS,
    });
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
   * @param sendAt a time on a wall, or an instant: it is sent with the minute that begins then or next
   * @throws ParleyError as posting does, and with code 4002 for a time that is over
   */
  schedule(
    message: LaterMessage,
    sendAt: WallTime | Date,
    key: string = randomUUID(),
  ): Promise<ScheduledMessage> {
    return this.caller.one({
      method: 'POST',
      path: scheduledPath(),
      json: { send_at: wallTimeOf(sendAt), message },
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
    const { send_at: at } = change;
    const json = at === undefined ? change : { ...change, send_at: wallTimeOf(at) };
    return this.caller.one({ method: 'PATCH', path: scheduledPath(id), json });
  }

  /** It is not sent. @throws ParleyError with code 4040 for one that the token does not see */
  async cancelScheduled(id: string): Promise<void> {
    await this.caller.all({ method: 'DELETE', path: scheduledPath(id) });
  }
}

const MINUTE_MS = 60_000;

/** An instant on a wall in UTC. Walls show minutes, and it is not sent before the instant. */
const wallTimeOf = (at: WallTime | Date): WallTime =>
  at instanceof Date
    ? {
        local: new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS).toISOString().slice(0, 16),
        zone: 'Etc/UTC',
      }
    : at;

const scheduledPath = (id?: string) =>
  `/v1/users/me/scheduled_messages${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

/** Of the pins of a team, or of one of them. */
export const pinsPath = (team: string, message?: string) =>
  `/v1/teams/${encodeURIComponent(team)}/pins${message === undefined ? '' : `/${encodeURIComponent(message)}`}`;

/** Of the reactions to a message. */
const reactionsPath = (message: string) => `${messagePath(message)}/reactions`;

/** The address of a message. */
export const messagePath = (id: string) => `/v1/messages/${encodeURIComponent(id)}`;

const reactionPath = (message: string, emoji: string) =>
  `${reactionsPath(message)}/${encodeURIComponent(emoji)}`;
