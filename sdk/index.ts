export {
  type ActionContext,
  type ActionHandler,
  type ActionPattern,
  type CommandContext,
  type CommandHandler,
  type FormState,
  type HomeContext,
  type HomeHandler,
  type IdPattern,
  type OptionsContext,
  type OptionsHandler,
  type ShortcutContext,
  type ShortcutHandler,
  UnknownActionError,
  type ViewContext,
  type ViewHandler,
} from './actions.ts';
export {
  type ApplicationOptions,
  type Authorization,
  ParleyApplication,
  type SaveTokens,
} from './application.ts';
export { MessageAuthor, type NewFile } from './author.ts';
export * as blocks from './blocks.ts';
export { ParleyBot } from './bot.ts';
export type { DirectContext, DirectHandler } from './direct.ts';
export { type ErrorItem, ParleyError, SignatureError, TokenError } from './errors.ts';
export type { Handler } from './handlers.ts';
export type { Listening, ListenOptions } from './listen-options.ts';
export type { AnswerContent, Form, Respond } from './respond.ts';
export { type CallbackHeaders, verifyCallback, verifySignature } from './signature.ts';
export type { Subscriptions } from './subscriptions.ts';
export type * from './types.ts';
export { ParleyUser, type TokenStore } from './user.ts';
export type { WebhookHandler, WebhookOptions, WebhookRequest, WebhookResponse } from './webhook.ts';
