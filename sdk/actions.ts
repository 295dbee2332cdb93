import type { Choices } from './block-elements.ts';
import type { ParleyBot } from './bot.ts';
import { type Respond, responder, sendOptions } from './respond.ts';
import type { EventOf, NewMessage } from './types.ts';

type Asked = EventOf<'interaction'>;
type Click = Asked & { readonly data: Required<Pick<Asked['data'], 'block_id' | 'action_id' | 'state'>> };
type Submission = Asked & { readonly data: Required<Pick<Asked['data'], 'form' | 'state'>> };
type Opened = EventOf<'application.opened'>;

/** The values of elements, by `block_id` and `action_id`. */
export type FormState = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

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
  /** In which it was clicked; of a click in a form, from which that was opened. */
  readonly message: Asked['data']['message'];
  /** The form in which it was clicked. */
  readonly form: Asked['data']['form'];
  /** Of a button, what you gave it; of a choice, one of its options. */
  readonly value: string | undefined;
  /** Of an element with several. */
  readonly values: readonly string[] | undefined;
  /** The values of the elements around it. */
  readonly state: FormState;
  /** Your application as itself, in the team of the click. */
  readonly bot: ParleyBot;
  readonly respond: Respond;
  /** Its id names the click: as the key of what you post, it keeps that from being posted twice. */
  readonly event: Click;
}

/** Handles a click. The person sees that it is done when this resolves; it is tried again when this throws. */
export type ActionHandler = (context: ActionContext) => Promise<unknown> | unknown;

/** A text that somebody types to find an option, and where. */
export type OptionsContext = Pick<
  ActionContext,
  'action' | 'user' | 'team' | 'message' | 'form' | 'bot' | 'event'
> & {
  readonly value: string;
};

/** Finds options. They are waited for 3 seconds, and kept for the person and the text for 5 minutes. */
export type OptionsHandler = (context: OptionsContext) => Promise<Choices> | Choices;

/** Answers what was asked for by its name: there is no message that could be changed. */
type RespondInTeam = Pick<Respond, 'reply' | 'ephemeral' | 'form' | 'failed'>;

/** A command that somebody gave in a team, and how to answer it. */
export interface CommandContext extends Pick<ActionContext, 'user' | 'team' | 'bot'> {
  /** Its name, without the slash. */
  readonly command: string;
  /** The arguments, as they were written. */
  readonly text: string;
  readonly respond: RespondInTeam;
  /** Its id names the command that was given: as the key of what you post, it keeps that from being posted twice. */
  readonly event: Asked;
}

/** Handles a command. The person sees that it is done when this resolves; it is tried again when this throws. */
export type CommandHandler = (context: CommandContext) => Promise<unknown> | unknown;

interface AnyShortcut extends Pick<ActionContext, 'user' | 'team' | 'bot'> {
  readonly action_id: string;
  readonly event: Asked;
}

/** A shortcut of the team. */
interface TeamShortcut extends AnyShortcut {
  readonly message: undefined;
  readonly respond: RespondInTeam;
}

/** A shortcut in the menu of a message. It is answered as a click in that message. */
interface MessageShortcut extends AnyShortcut {
  readonly message: NonNullable<Asked['data']['message']>;
  /** `replace` and `append` change a message that your application posted, and are refused for any other one. */
  readonly respond: Omit<Respond, 'push' | 'errors'>;
}

/** A shortcut that somebody chose: in a message if there is a `message`, or else in the team. */
export type ShortcutContext = TeamShortcut | MessageShortcut;

/** Handles a shortcut, as a command is handled. */
export type ShortcutHandler = (context: ShortcutContext) => Promise<unknown> | unknown;

/** A form that somebody has submitted. */
export interface ViewContext extends Pick<ActionContext, 'user' | 'team' | 'bot'> {
  readonly form: Submission['data']['form'];
  /** The values that its person has filled in. */
  readonly state: FormState;
  /** The message from which the form was opened. */
  readonly message: Asked['data']['message'];
  /** `errors` and `form` keep it open, `push` lays another one on it; it closes without them. */
  readonly respond: Respond;
  /** Its id names the submission: as the key of what you post, it keeps that from being posted twice. */
  readonly event: Asked;
}

/** Handles a submission. The form closes when this resolves, unless it was answered; it is tried again when this throws. */
export type ViewHandler = (context: ViewContext) => Promise<unknown> | unknown;

/** A visit to your home in a team. */
export interface HomeContext extends Pick<ActionContext, 'user' | 'team' | 'bot'> {
  /** Shows these blocks to this person there, in place of what was shown. */
  readonly publish: (blocks: NonNullable<NewMessage['blocks']>) => Promise<void>;
  readonly event: Opened;
}

/** Publishes a home, or leaves it as it is. */
export type HomeHandler = (context: HomeContext) => Promise<unknown> | unknown;

/** A click, a command, a shortcut or a form that no handler is for. */
export class UnknownActionError extends Error {
  override readonly name = 'UnknownActionError';
  readonly action_id: string | undefined;
  readonly block_id: string | undefined;
  readonly command: string | undefined;

  constructor({ kind, action_id, block_id, command, form }: Asked['data']) {
    super(`No handler is for ${missing(kind, action_id, block_id, command, form?.callback_id)}`);
    this.action_id = action_id;
    this.block_id = block_id;
    this.command = command;
  }
}

function missing(kind: string, action_id = '', block_id = '', command = '', view = ''): string {
  if (kind === 'form') return `the form ${view}: app.view('${view}', …)`;
  if (kind === 'form_closed') return `the closed form ${view}: app.viewClosed('${view}', …)`;
  if (kind === 'command') return `the command /${command}: app.command('${command}', …)`;
  if (kind === 'shortcut' || kind === 'message_action')
    return `the shortcut ${action_id}: app.shortcut('${action_id}', …)`;
  return `the action ${action_id} in the block ${block_id}: app.action('${action_id}', …)`;
}

interface Known {
  readonly fits: (data: Asked['data']) => boolean;
  readonly run: (event: Asked, bot: ParleyBot) => Promise<unknown> | unknown;
}

/** The handlers of what people do with an application, the first of which takes each. */
export class Actions {
  readonly #handlers: Known[] = [];

  addOffer(pattern: ActionPattern, find: OptionsHandler): void {
    this.add(
      pattern,
      async (context) => sendOptions(context.event, await find({ ...context, value: context.value ?? '' })),
      'options',
    );
  }

  add(pattern: ActionPattern, handle: ActionHandler, kind: 'action' | 'options' = 'action'): void {
    const { action_id, block_id } =
      typeof pattern === 'string' || pattern instanceof RegExp ? { action_id: pattern } : { ...pattern };
    this.#handlers.push({
      fits: (data) =>
        data.kind === kind && isFor(action_id, data.action_id) && isFor(block_id, data.block_id),
      run: (event, bot) => handle(contextOf(event as Click, bot)),
    });
  }

  addCommand(name: IdPattern, handle: CommandHandler): void {
    this.#handlers.push({
      fits: ({ kind, command }) => kind === 'command' && isFor(name, command),
      run: (event, bot) => {
        const { command = '', text = '' } = event.data;
        return handle({ ...common(event, bot), command, text });
      },
    });
  }

  addShortcut(id: IdPattern, handle: ShortcutHandler): void {
    this.#handlers.push({
      fits: ({ kind, action_id }) =>
        (kind === 'shortcut' || kind === 'message_action') && isFor(id, action_id),
      run: (event, bot) => {
        const { message, action_id = '' } = event.data;
        return handle({ ...common(event, bot), message, action_id } as ShortcutContext);
      },
    });
  }

  /** @param kind whether it was submitted or closed */
  addView(id: IdPattern, handle: ViewHandler, kind: 'form' | 'form_closed'): void {
    this.#handlers.push({
      fits: (data) => data.kind === kind && isFor(id, data.form?.callback_id),
      run: (event, bot) => {
        const { form, state, message } = (event as Submission).data;
        return handle({ ...common(event, bot), form, state: state as FormState, message });
      },
    });
  }

  /** @returns whether one is for it */
  knows({ data }: Asked): boolean {
    return this.#handlers.some(({ fits }) => fits(data));
  }

  async run(event: Asked, bot: ParleyBot): Promise<void> {
    await this.#handlers.find(({ fits }) => fits(event.data))?.run(event, bot);
  }
}

/** Every context has these. */
function common<Event extends Asked>(event: Event, bot: ParleyBot) {
  const { user, team } = event.data;
  return { user, team, bot, event, respond: responder(event) };
}

function contextOf(event: Click, bot: ParleyBot): ActionContext {
  const { action_id, block_id, message, form, value, values, state } = event.data;
  return {
    ...common(event, bot),
    action: { action_id, block_id },
    ...{ message, form, value, values },
    state: state as FormState,
  };
}

// search() looks from the beginning, whatever a pattern with the flag g was used for before.
const isFor = (pattern: IdPattern | undefined, id = '') =>
  pattern === undefined || (typeof pattern === 'string' ? pattern === id : id.search(pattern) >= 0);
