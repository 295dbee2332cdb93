import { type Choices, choices } from './block-elements.ts';
import { ask } from './envelope.ts';
import { isRefusal, ParleyError, type Report } from './errors.ts';
import type { EventOf, NewMessage, ParleyEvent } from './types.ts';

/** The content of an answer: a text, blocks, or both. */
export type AnswerContent = string | Pick<NewMessage, 'text' | 'blocks'>;

/** A form, which opens for the person alone. */
export interface Form {
  /** At most 24 characters, as the labels of its buttons. */
  readonly title: string;
  /** At most 100, among them `input` blocks. */
  readonly blocks: NonNullable<NewMessage['blocks']>;
  /** The label of the button that submits it. */
  readonly submit?: string;
  /** The label of the button that closes it. */
  readonly close?: string;
  /** Which form it is: `app.view` takes it by this. */
  readonly callback_id?: string;
  /** Given back to you when it is submitted; its person does not see it. */
  readonly metadata?: string;
  /** Whether you hear that it was closed: `app.viewClosed`. */
  readonly notify_on_close?: boolean;
  /** Of the form that this one replaces: refused when that has changed since. */
  readonly hash?: string;
}

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
  /**
   * Opens a form, within 30 seconds of the click. In a form, or once one was opened, it changes that form.
   * @throws ParleyError with code 4090 for what comes too late
   */
  form(form: Form): Promise<void>;
  /** Lays a form on the one in which was clicked, or which was submitted: three at most. */
  push(form: Form): Promise<void>;
  /** Keeps the form open that was submitted, and shows what is wrong below its blocks, by their ids. */
  errors(errors: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Tells the person that it could not be done, and with a text why. A form that was submitted stays open. What a handler
   * throws for good is told so by itself.
   */
  failed(content?: AnswerContent): Promise<void>;
}

type Way = 'replace' | 'append' | 'reply' | 'ephemeral';

/** Events that were answered at their address. */
const answered = new WeakSet<object>();

interface Answerable {
  readonly data: { readonly response_url: string };
}

async function answer(event: Answerable, json: object, repeatable: boolean): Promise<void> {
  await ask({ method: 'POST', url: event.data.response_url, json, repeatable });
  answered.add(event);
}

export function responder(event: Answerable): Respond {
  const send = (json: object, repeatable = false) => answer(event, json, repeatable);
  const contentOf = (given: AnswerContent) => (typeof given === 'string' ? { text: given } : given);
  // Repeated, the other ways would show it twice.
  const by = (way: Way) => (given: AnswerContent) =>
    send({ ...contentOf(given), [way]: true }, way === 'replace');
  return {
    ...{ replace: by('replace'), append: by('append'), reply: by('reply'), ephemeral: by('ephemeral') },
    form: (form) => send({ form }),
    push: (form) => send({ form: { ...form, push: true } }),
    errors: (errors) => send({ errors }),
    failed: (given) =>
      given === undefined
        ? send({ failed: true }, true)
        : send({ ...contentOf(given), failed: true, ephemeral: true }),
  };
}

/** Tells the person who waits for it that an event could not be handled. */
export const tellFailed = (event: ParleyEvent, report: Report): Promise<void> =>
  end(event, { failed: true }, report);

/** Tells the person that it is done, where the handler did not answer: the acknowledgement comes later. */
export async function tellDone(event: ParleyEvent, report: Report): Promise<void> {
  if (!answered.has(event)) await end(event, {}, report);
}

async function end(event: ParleyEvent, json: object, report: Report): Promise<void> {
  const { response_url: url, kind } = event.data as { response_url?: string; kind?: string };
  // A closed form needs no end, and a question for options ends with its options.
  if (url === undefined || kind === 'form_closed' || (kind === 'options' && !('failed' in json))) return;
  try {
    await answer({ data: { response_url: url } }, json, true);
  } catch (error) {
    // The address is used up, or the place is gone: its end is known by then.
    if (!isRefusal(error)) report(error);
  }
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
