import type { ParleyBot } from './bot.ts';
import type { AnswerContent } from './respond.ts';
import type { EventOf, Message } from './types.ts';

type Written = EventOf<'direct.posted'>;

/** A message that a person wrote to your application, and how to answer it. */
export interface DirectContext {
  /** The id of the person. */
  readonly user: string;
  /** The id of the team. */
  readonly team: string;
  readonly message: Written['data']['message'] & { readonly text: string };
  /** Your application as itself, in that team. */
  readonly bot: ParleyBot;
  /** Answers where it was written: in the conversation, or below the message that it answers. An event that comes again posts nothing twice. */
  reply(content: AnswerContent): Promise<Message>;
  readonly event: Written;
}

/** Handles a message. It is tried again when this throws. */
export type DirectHandler = (context: DirectContext) => Promise<unknown> | unknown;

/** Hands what was written to a handler; nothing, where it was deleted before that. */
export function hearDirect(
  event: Written,
  bot: ParleyBot,
  handle: DirectHandler,
): Promise<unknown> | unknown {
  const { user, team, message } = event.data;
  const { text, reply_to: root } = message;
  if (typeof text !== 'string') return undefined;
  let count = 0;
  const reply = (content: AnswerContent) => {
    const key = `${event.id}-${++count}`;
    if (typeof root !== 'string') return bot.writeTo(user, content, key);
    return bot.reply(root, typeof content === 'string' ? content : { ...content }, key);
  };
  return handle({ user, team, message: { ...message, text }, bot, reply, event });
}
