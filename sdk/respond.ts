import { type Choices, choices } from './block-elements.ts';
import { ask } from './envelope.ts';
import { ParleyError } from './errors.ts';
import type { EventOf, NewMessage } from './types.ts';

/** The content of an answer: a text, blocks, or both. */
export type AnswerContent = string | Pick<NewMessage, 'text' | 'blocks'>;

/** Answers to a click, a command or a shortcut. They are good for half an hour, and five times together. */
export interface Respond {
  /** Puts this in the place of the message, for everybody. */
  replace(content: AnswerContent): Promise<void>;
  /** Adds this to the end of the message. */
  append(content: AnswerContent): Promise<void>;
  /** Answers for everybody: below the message, or in the team. */
  reply(content: AnswerContent): Promise<void>;
  /** Shows this to the person alone who asked. */
  ephemeral(content: AnswerContent): Promise<void>;
}

type Way = keyof Respond;

export function responder({ data }: EventOf<'interaction'>): Respond {
  const by = (way: Way) => async (given: AnswerContent) => {
    const content = typeof given === 'string' ? { text: given } : given;
    const json = { ...content, [way]: true };
    // Repeated, the other ways would show it twice.
    await ask({ method: 'POST', url: data.response_url, json, repeatable: way === 'replace' });
  };
  return { replace: by('replace'), append: by('append'), reply: by('reply'), ephemeral: by('ephemeral') };
}

const NOT_FOUND = 4040;

/** Answers a question for options. */
export async function sendOptions({ data }: EventOf<'interaction'>, found: Choices): Promise<void> {
  try {
    await ask({ method: 'POST', url: data.response_url, json: choices(found), repeatable: true });
  } catch (error) {
    // The options came too late.
    if (!(error instanceof ParleyError && error.code === NOT_FOUND)) throw error;
  }
}
