export { type ApplicationOptions, ParleyApplication, type SaveTokens } from './application.ts';
export { type ErrorItem, ParleyError, SignatureError, TokenError } from './errors.ts';
export { type CallbackHeaders, verifyCallback } from './signature.ts';
export type * from './types/applications.ts';
export type * from './types/callbacks.ts';
export type * from './types/messages.ts';
export type * from './types/teams.ts';
export type * from './types/users.ts';
export { ParleyUser, type TokenStore } from './user.ts';
