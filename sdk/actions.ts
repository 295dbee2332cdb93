import type { Choices } from './block-elements.ts';
import type { ParleyBot } from './bot.ts';
import { type Respond, responder, sendOptions } from './respond.ts';
import type { EventOf } from './types.ts';

type Click = EventOf<'interaction'>;

/** An id, or those that a pattern fits. */
export type IdPattern = string | RegExp;
/** Which clicks: by the `action_id` of the element, and the `block_id` around it. */
export type ActionPattern =
  | IdPattern
  | { readonly action_id?: IdPattern | undefined; readonly block_id?: IdPattern | undefined };

/** A click, and how to answer it. */
export interface ActionContext {
  readonly action: { readonly action_id: string; readonly block_id: string };
  /** The id of the person. */
  readonly user: string;
  /** The id of the team. */
  readonly team: string;
  readonly message: Click['data']['message'];
  /** Of a button, what you gave it; of a choice, one of its options. */
  readonly value: string | undefined;
  /** Of an element with several. */
  readonly values: readonly string[] | undefined;
  /** The values of the message's elements, by `block_id` and `action_id`. */
  readonly state: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** Your application as itself, in the team of the click. */
  readonly bot: ParleyBot;
  readonly respond: Respond;
  /** Its id names the click: as the key of what you post, it keeps that from being posted twice. */
  readonly event: Click;
}

/** Handles a click. The person sees that it is done when this resolves; it is tried again when this throws. */
export type ActionHandler = (context: ActionContext) => Promise<unknown> | unknown;

/** A text that somebody types to find an option, and where. */
export type OptionsContext = Pick<ActionContext, 'action' | 'user' | 'team' | 'message' | 'bot' | 'event'> & {
  readonly value: string;
};

/** Finds options. They are waited for 3 seconds, and kept for the person and the text for 5 minutes. */
export type OptionsHandler = (context: OptionsContext) => Promise<Choices> | Choices;

/** A click that no handler is for. */
export class UnknownActionError extends Error {
  override readonly name = 'UnknownActionError';
  readonly action_id: string;
  readonly block_id: string;

  constructor({ action_id, block_id }: Click['data']) {
    super(
      `No handler is for the action ${action_id} in the block ${block_id}: app.action('${action_id}', …)`,
    );
    this.action_id = action_id;
    this.block_id = block_id;
  }
}

/** The handlers of clicks and of questions for options, the first of which takes each. */
export class Actions {
  readonly #handlers: { readonly fits: (data: Click['data']) => boolean; readonly run: ActionHandler }[] = [];

  addOffer(pattern: ActionPattern, find: OptionsHandler): void {
    this.add(
      pattern,
      async (context) => sendOptions(context.event, await find({ ...context, value: context.value ?? '' })),
      'options',
    );
  }

  add(pattern: ActionPattern, run: ActionHandler, kind: Click['data']['kind'] = 'action'): void {
    const { action_id, block_id } =
      typeof pattern === 'string' || pattern instanceof RegExp ? { action_id: pattern } : { ...pattern };
    const fits = (data: Click['data']) =>
      data.kind === kind && isFor(action_id, data.action_id) && isFor(block_id, data.block_id);
    this.#handlers.push({ fits, run });
  }

  /** @returns whether one is for it */
  knows({ data }: Click): boolean {
    return this.#handlers.some(({ fits }) => fits(data));
  }

  async run(event: Click, bot: ParleyBot): Promise<void> {
    const { action_id, block_id, user, team, message, value, values, state } = event.data;
    const found = this.#handlers.find(({ fits }) => fits(event.data));
    await found?.run({
      action: { action_id, block_id },
      ...{ user, team, message, value, values, bot, event },
      state: state as ActionContext['state'],
      respond: responder(event),
    });
  }
}

// search() looks from the beginning, whatever a pattern with the flag g was used for before.
const isFor = (pattern: IdPattern | undefined, id: string) =>
  pattern === undefined || (typeof pattern === 'string' ? pattern === id : id.search(pattern) >= 0);
