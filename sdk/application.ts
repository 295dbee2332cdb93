import { randomUUID } from 'node:crypto';
import {
  type ActionHandler,
  type ActionPattern,
  Actions,
  type CommandHandler,
  type HomeContext,
  type HomeHandler,
  type IdPattern,
  type OptionsHandler,
  type ShortcutHandler,
  UnknownActionError,
  type ViewHandler,
} from './actions.ts';
import { type Authorization, authorization, codeOf, type Wish } from './authorization.ts';
import { ParleyBot } from './bot.ts';
import { Credentials } from './credentials.ts';
import { type DirectHandler, hearDirect } from './direct.ts';
import { type Report, SignatureError, TokenError } from './errors.ts';
import { type Handler, Handlers } from './handlers.ts';
import { type Call, send } from './http.ts';
import type { Listening, ListenOptions } from './listen-options.ts';
import { listen } from './listening.ts';
import { tellFailed } from './respond.ts';
import { type CallbackHeaders, verifyCallback } from './signature.ts';
import { Subscriptions } from './subscriptions.ts';
import type {
  ApplicationObject,
  Callback,
  EventKind,
  EventOf,
  InstallCallback,
  Introspection,
  NewObject,
  ObjectChange,
  ObjectFilter,
  TeamUpdateCallback,
  TokenFailure,
  Tokens,
  UninstallCallback,
} from './types.ts';
import { type WebhookHandler, type WebhookOptions, webhookHandler } from './webhook.ts';

export type { Authorization } from './authorization.ts';

/**
 * A rotated refresh token stays valid for ten seconds. The last attempt must start within them, because later use
 * revokes everything issued from it.
 */
const REFRESH_TIMEOUT_MS = 3500;

/** The credentials from the registration, and the address of the platform. */
export interface ApplicationOptions {
  /** The platform's address, such as `https://parley.example.org`. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** Leave it out for a public application: a program on somebody's own machine has no secret (RFC 8252). */
  readonly clientSecret?: string;
  /** The registered redirect address. A bot without sign-ins needs none. */
  readonly redirectUri?: string;
  /** The platform's name for itself, which `finishAuthorization` then compares (RFC 9207). */
  readonly issuer?: string;
}

type Repetition = Pick<Call, 'repeatable' | 'timeoutMs'>;

type HomeBlocks = Parameters<HomeContext['publish']>[0];

/** Keeps a new pair of tokens. */
export type SaveTokens = (tokens: Tokens) => Promise<void> | void;

/**
 * Your application, as the platform knows it. Make one of it and share it. Every call may throw a TypeError when the platform cannot be reached.
 */
export class ParleyApplication {
  readonly options: ApplicationOptions;
  /** Its subscriptions to events. `listen` makes the one that it needs by itself. */
  readonly subscriptions: Subscriptions;
  readonly #credentials: Credentials;
  readonly #handlers = new Handlers();
  #actions: Actions | undefined;
  readonly #refreshes = new Map<string, Promise<Tokens>>();
  readonly #bots = new Map<string, ParleyBot>();

  /** @throws TypeError that names an option which is missing */
  constructor(options: ApplicationOptions) {
    this.options = checked(options);
    this.#credentials = new Credentials(this.options);
    this.subscriptions = new Subscriptions(this.#credentials);
  }

  /** Resolves when the credentials are right. @throws ParleyError with code 4010 when they are not */
  async test(): Promise<void> {
    await this.#credentials.all({ method: 'GET', path: '/v1/oauth2/test/app' });
  }

  /**
   * Handles the events of one kind. Begin to hear them by `listen` or `webhook`: the handlers are the same. An event is
   * handled again when its handler throws, and may come again after a crash: by `event.id` it is known.
   */
  on<K extends EventKind>(kind: K, handler: Handler<K>): this {
    this.#handlers.add(kind, handler);
    return this;
  }

  /**
   * Handles clicks in the blocks of your messages: `app.action('approve', async ({ respond }) => …)`. The first handler
   * that fits takes a click, and a click is handled one time. One that no handler is for is told to `onError`, unless
   * `on('interaction', …)` hears all.
   * @param pattern the `action_id` of the element, exactly or as a pattern; with `block_id`, that of its block
   */
  action(pattern: ActionPattern, handler: ActionHandler): this {
    this.#heardActions().add(pattern, handler);
    return this;
  }

  /**
   * Finds the options of an `externalSelect` as somebody types: `app.offer('task', ({ value }) => search(value))`.
   * @param handler gives texts, options or groups, 100 at most
   */
  offer(pattern: ActionPattern, handler: OptionsHandler): this {
    this.#heardActions().addOffer(pattern, handler);
    return this;
  }

  /**
   * Handles a command that your registration has: `app.command('standup', ({ text, respond }) => …)`. Answer by
   * `respond.ephemeral` to the person alone, or by `respond.reply` in the team.
   * @param name without its slash
   */
  command(name: IdPattern, handler: CommandHandler): this {
    this.#heardActions().addCommand(name, handler);
    return this;
  }

  /**
   * Handles a shortcut that your registration has, of a team or of a message: `app.shortcut('file-bug', ({ message }) => …)`.
   * @param id its `action_id`
   */
  shortcut(id: IdPattern, handler: ShortcutHandler): this {
    this.#heardActions().addShortcut(id, handler);
    return this;
  }

  /**
   * Handles a form that somebody has submitted: `app.view('holiday', ({ state, respond }) => …)`. Open forms by
   * `respond.form` of a click, a command or a shortcut.
   * @param id its `callback_id`
   */
  view(id: IdPattern, handler: ViewHandler): this {
    this.#heardActions().addView(id, handler, 'form');
    return this;
  }

  /** Handles a form with `notify_on_close` that was closed without being submitted. @param id its `callback_id` */
  viewClosed(id: IdPattern, handler: ViewHandler): this {
    this.#heardActions().addView(id, handler, 'form_closed');
    return this;
  }

  /**
   * Shows a page of yours as somebody looks at it: `app.home(({ user, publish }) => publish(blocksFor(user)))`. Your
   * registration has `has_home`. What you have published stays, so publish again as it changes: `publishHome`.
   */
  home(handler: HomeHandler): this {
    return this.on('application.opened', (event) => {
      const { user, team } = event.data;
      const publish = (blocks: HomeBlocks) => this.publishHome({ user, team, blocks });
      return handler({ user, team, bot: this.inTeam(team), publish, event });
    });
  }

  /**
   * Shows blocks on your page to one person of a team, in place of what was shown there.
   * @throws ParleyError with code 4040 for somebody who is not in the team, or a team without the application
   */
  async publishHome(of: { user: string; team: string; blocks: HomeBlocks }): Promise<void> {
    const { user, team, blocks } = of;
    const path = this.#credentials.pathOf(
      `homes/${encodeURIComponent(user)}?${new URLSearchParams({ team })}`,
    );
    await this.#credentials.all({ method: 'PUT', path, json: { blocks } });
  }

  /**
   * Handles what people write to your application in direct conversations: `app.direct(({ message, reply }) => …)`. The team's
   * admin grants `direct:app` for it. To write first: `app.inTeam(team).writeTo(user, …)`.
   */
  direct(handler: DirectHandler): this {
    this.#handlers.add('direct.posted', (event: EventOf<'direct.posted'>) =>
      hearDirect(event, this.inTeam(event.data.team), handler),
    );
    return this;
  }

  /** The kinds that have handlers: for a subscription of your own. */
  get kinds(): EventKind[] {
    return this.#handlers.kinds;
  }

  /**
   * Hears events by a stream, which needs no public address: it connects again when the connection ends, and
   * acknowledges each event after its handler. Programs with the same `group` share the teams. Without a subscription
   * for the handlers it makes one.
   * @returns once the stream is open @throws ParleyError when the platform refuses it, and TypeError without a secret
   */
  async listen(options: ListenOptions = {}): Promise<Listening> {
    if (this.#credentials.isPublic)
      throw new TypeError('app.listen() needs a clientSecret: a public application hears no events');
    return listen(
      { credentials: this.#credentials, subscriptions: this.subscriptions, handlers: this.#handlers },
      options,
    );
  }

  /**
   * Hears events by a webhook: `createServer(app.webhook({ key }))`. The key is that of a subscription with a webhook.
   * It answers 204 after the handlers, 401 to a call that the platform did not sign, and 500 when a handler threw.
   */
  webhook(options: WebhookOptions): WebhookHandler {
    return webhookHandler(this.#handlers, options);
  }

  /**
   * Begins a sign-in of your own (RFC 6749 §4.1, with PKCE, RFC 7636). Keep what it returns with the browser's session,
   * send the browser to `url`, and finish with `finishAuthorization`.
   */
  authorize(wish: Wish = {}): Authorization {
    return authorization(this.options, wish);
  }

  /**
   * Finishes a sign-in that `authorize` began.
   * @param url where the browser came back, with its query
   * @returns the tokens, and the team that the person chose: as the platform says it, or as `url` does for a public application
   * @throws TokenError with what the platform or the person refused, or `invalid_state` for a call that is not the answer
   */
  async finishAuthorization(
    begun: Pick<Authorization, 'state' | 'verifier'>,
    url: string,
  ): Promise<{ tokens: Tokens; team: string }> {
    const { code, team: named } = codeOf(this.options, begun, url);
    const tokens = await this.exchangeCode(code, begun.verifier);
    // Introspection needs a secret. On somebody's own machine, nobody but that person could change the address.
    if (this.options.clientSecret === undefined) return { tokens, team: named };
    // Elsewhere the address comes through a browser, where it can be changed.
    const { team } = await this.introspect(tokens.access_token);
    // The person ended it in this moment.
    if (team === undefined) throw new TokenError('invalid_grant', 200);
    return { tokens, team };
  }

  /**
   * RFC 6749 §4.1.3.
   * @param code from the redirect call; it works once, for two minutes
   * @param verifier what `authorize` made, when the sign-in began with you
   * @throws TokenError
   */
  exchangeCode(code: string, verifier?: string): Promise<Tokens> {
    // Sent once: a repeated code revokes what the first exchange issued.
    const { redirectUri } = this.options;
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri ?? '' };
    return this.#tokens({ ...form, ...(verifier && { code_verifier: verifier }) }, { repeatable: false });
  }

  /**
   * RFC 6749 §6. Calls with the same token at the same time share one request.
   * @param save keeps the new refresh token, which replaces the old one, before anybody uses the pair
   * @throws TokenError with `invalid_grant` when the user must open the application again
   */
  refresh(refreshToken: string, save: SaveTokens = () => undefined): Promise<Tokens> {
    const underWay = this.#refreshes.get(refreshToken);
    if (underWay) return underWay;
    const refresh = this.#refreshAndSave(refreshToken, save).finally(() =>
      this.#refreshes.delete(refreshToken),
    );
    this.#refreshes.set(refreshToken, refresh);
    return refresh;
  }

  /** The application as itself in a team that has it installed: it gets tokens for the team when it needs them. */
  inTeam(team: string): ParleyBot {
    const found = this.#bots.get(team);
    if (found) return found;
    const form = { grant_type: 'client_credentials', team };
    const askToken = async () => (await this.#tokens(form, { repeatable: true })).access_token;
    const bot = new ParleyBot(this.options.baseUrl, team, askToken);
    this.#bots.set(team, bot);
    return bot;
  }

  /** RFC 7009. Revokes an access token, or a refresh token with everything issued from it. @throws TokenError */
  async revoke(token: string): Promise<void> {
    await this.#form('/v1/oauth2/revoke', { token }, { repeatable: true });
  }

  /** RFC 7662. Whether a token of this application is good, and for what. @throws TokenError */
  async introspect(token: string): Promise<Introspection> {
    return (await this.#form('/v1/oauth2/introspect', { token }, { repeatable: true })) as Introspection;
  }

  /**
   * Why the platform gave no tokens of late, the last kind of failure first: the answer to a request has the error
   * alone.
   */
  tokenFailures(): Promise<TokenFailure[]> {
    return this.#credentials.all({ method: 'GET', path: this.#credentials.pathOf('token_failures') });
  }

  /**
   * Registers an object, so that messages can mention it.
   * @returns its id, which you keep
   * @throws ParleyError with code 4030 when the team does not have the application installed
   */
  createObject(object: NewObject): Promise<{ id: string }> {
    return this.#credentials.one({ method: 'POST', path: this.#objects, json: object, key: randomUUID() });
  }

  /** The objects that you registered. */
  objects(filter: ObjectFilter = {}): AsyncGenerator<ApplicationObject, void, undefined> {
    return this.#credentials.items(this.#objects, filter);
  }

  /**
   * Changes an object, also in the messages that mention it.
   * @returns the object as it is now
   * @throws ParleyError with code 4040 for an unknown object, and 4030 when the team has uninstalled the application
   */
  changeObject(id: string, change: ObjectChange): Promise<ApplicationObject> {
    const path = `${this.#objects}/${encodeURIComponent(id)}`;
    return this.#credentials.one({ method: 'PATCH', path, json: change });
  }

  /** Messages that mention it stay, without a link. @throws ParleyError with code 4040 for an unknown object */
  async deleteObject(id: string): Promise<void> {
    await this.#credentials.all({ method: 'DELETE', path: `${this.#objects}/${encodeURIComponent(id)}` });
  }

  /** Checks a call to the pre-install address. @param rawBody exactly as it came @throws SignatureError */
  verifyInstall(headers: CallbackHeaders, rawBody: string | Uint8Array): InstallCallback {
    return ofType('team', this.verifyCallback(headers, rawBody));
  }

  /** Checks a call to the uninstall address. @param rawBody exactly as it came @throws SignatureError */
  verifyUninstall(headers: CallbackHeaders, rawBody: string | Uint8Array): UninstallCallback {
    return ofType('uninstall', this.verifyCallback(headers, rawBody));
  }

  /** Checks a call to the team update address. @param rawBody exactly as it came @throws SignatureError */
  verifyTeamUpdate(headers: CallbackHeaders, rawBody: string | Uint8Array): TeamUpdateCallback {
    return ofType('team_update', this.verifyCallback(headers, rawBody));
  }

  /** Verifies a call of any type, for applications with one address for all. @throws SignatureError */
  verifyCallback(headers: CallbackHeaders, rawBody: string | Uint8Array): Callback {
    return verifyCallback(headers, rawBody, this.#credentials.secret);
  }

  /** Made with the first handler: an application without one hears no interactions. */
  #heardActions(): Actions {
    if (this.#actions) return this.#actions;
    const actions = new Actions();
    this.#actions = actions;
    this.#handlers.add('interaction', (event: EventOf<'interaction'>, report: Report) => {
      if (actions.knows(event)) return actions.run(event, this.inTeam(event.data.team));
      if (this.#handlers.count('interaction') > 1) return undefined;
      report(new UnknownActionError(event.data));
      return tellFailed(event, report);
    });
    return actions;
  }

  get #objects(): string {
    return this.#credentials.pathOf('objects');
  }

  async #refreshAndSave(refreshToken: string, save: SaveTokens): Promise<Tokens> {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const tokens = await this.#tokens(form, { repeatable: true, timeoutMs: REFRESH_TIMEOUT_MS });
    await save(tokens);
    return tokens;
  }

  async #tokens(form: Record<string, string>, how: Repetition): Promise<Tokens> {
    return (await this.#form('/v1/oauth2/token', form, how)) as Tokens;
  }

  async #form(path: string, form: Record<string, string>, how: Repetition): Promise<unknown> {
    const { baseUrl, clientId, isPublic } = this.#credentials;
    const { status, body } = await send({
      method: 'POST',
      url: baseUrl + path,
      headers: isPublic ? {} : { Authorization: this.#credentials.authorization },
      body: new URLSearchParams(isPublic ? { ...form, client_id: clientId } : form),
      ...how,
    });
    if (status === 200 && body !== undefined) return body;
    const error = (body as { error?: string } | undefined)?.error ?? `status_${status}`;
    throw new TokenError(error, status, adviceFor(error, clientId, form));
  }
}

/** Advice on an error of the token route, which has no text of its own (RFC 6749 §5.2). */
function adviceFor(error: string, clientId: string, form: Record<string, string>): string | undefined {
  const { team = '', scope } = form;
  if (error === 'invalid_client') return `check clientId (${clientId}) and clientSecret`;
  if (error === 'invalid_target') return `the team ${team} does not have the application installed`;
  if (error === 'invalid_grant')
    return 'it is over, or does not fit: have the person open the application again (tokenFailures() says why)';
  if (error === 'unauthorized_client')
    return 'the application is suspended or public, or an admin of the team has yet to confirm its new owner';
  if (error !== 'invalid_scope') return undefined;
  return scope === undefined
    ? `have an admin of the team ${team} grant a scope for the application as itself, such as messages:write or direct:app`
    : `not all of these were granted: ${scope}`;
}

/** @throws TypeError that names what is missing: such options come of the environment */
function checked(options: ApplicationOptions): ApplicationOptions {
  for (const name of ['baseUrl', 'clientId'] as const)
    if (typeof options?.[name] !== 'string' || options[name] === '')
      throw new TypeError(`new ParleyApplication({ ${name} }): ${name} is missing`);
  // Undefined is what a public application says; an empty one is a variable that was not set.
  if (options.clientSecret === '')
    throw new TypeError('new ParleyApplication({ clientSecret }): clientSecret is empty');
  // `localhost:3000` is an address, too, of the scheme `localhost`.
  if (!URL.canParse(options.baseUrl) || !/^https?:$/.test(new URL(options.baseUrl).protocol))
    throw new TypeError(
      `new ParleyApplication({ baseUrl }): ${options.baseUrl} is no address, as https://parley.example.org`,
    );
  return { ...options, baseUrl: options.baseUrl.replace(/(?<!\/)\/+$/, '') };
}

/** A genuine call sent to the wrong address must not be mistaken for the expected type. */
function ofType<T extends Callback['type']>(type: T, callback: Callback): Extract<Callback, { type: T }> {
  if (callback.type === type) return callback as Extract<Callback, { type: T }>;
  throw new SignatureError(`the call is of type ${callback.type}, not ${type}`);
}
