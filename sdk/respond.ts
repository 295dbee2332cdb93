import type { ParleyBot } from './bot.ts';
import { ask } from './envelope.ts';
import type { EventOf, NewMessage } from './types.ts';

/** What an answer shows: a text, blocks, or both. */
export type AnswerContent = string | Pick<NewMessage, 'text' | 'blocks'>;

/** Answers to a click. They are good for half an hour, and five times together. */
export interface Respond {
  /** Puts this in the place of the message, for everybody. */
  replace(content: AnswerContent): Promise<void>;
  /** Adds this to the end of the message. */
  append(content: AnswerContent): Promise<void>;
  /** Answers the message, for everybody. */
  reply(content: AnswerContent): Promise<void>;
  /** Shows this to the person alone who clicked. */
  ephemeral(content: AnswerContent): Promise<void>;
}

type Way = keyof Respond;

/** @param baseUrl of the platform, which the address in an event may lack */
export function responder(event: EventOf<'interaction'>, bot: ParleyBot, baseUrl: string): Respond {
  const { message, response_url: path } = event.data as Told;
  const by = (way: Way) => async (given: AnswerContent) => {
    const content = typeof given === 'string' ? { text: given } : given;
    if (path === undefined) return withoutAddress(way, message.id, content, bot);
    const url = new URL(path, baseUrl).href;
    // Repeated, the other ways would show it twice.
    await ask({ method: 'POST', url, json: { ...content, [way]: true }, repeatable: way === 'replace' });
  };
  return { replace: by('replace'), append: by('append'), reply: by('reply'), ephemeral: by('ephemeral') };
}

/** The data of a click. Servers before `response_url` do not tell it. */
type Told = EventOf<'interaction'>['data'] & { readonly response_url?: string };

/** For servers that tell no `response_url`: to be deleted with the last of them. */
async function withoutAddress(
  way: Way,
  message: string,
  content: Exclude<AnswerContent, string>,
  bot: ParleyBot,
): Promise<void> {
  if (way !== 'replace')
    throw new Error(
      `respond.${way} needs a server that tells a response_url with clicks, and this one does not: use bot.reply or bot.editMessage`,
    );
  // Without blocks, those of the message go: null is what the interface takes for that.
  const { text, blocks = null } = content;
  await bot.editMessage(message, { ...(text !== undefined && { text }), blocks } as typeof content);
}
