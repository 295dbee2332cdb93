export { type ApplicationOptions, ParleyApplication } from './application.ts';
export { type ErrorItem, ParleyError, SignatureError, TokenError } from './errors.ts';
export { type CallbackHeaders, verifyCallback } from './signature.ts';
export type * from './types.ts';
export { ParleyUser, type TokenStore } from './user.ts';
