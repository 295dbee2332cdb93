export type { Again } from './attempt.ts';
export { isUnavailable, reportUnavailable } from './availability.ts';
export { DEEPEST, MOST_ITEMS } from './bounds.ts';
export type { Authenticators } from './context.ts';
export { noteError, retryAfterOf, toApiError } from './error-handler.ts';
export * from './errors.ts';
export { EXPECTS } from './expectation.ts';
export { readFields } from './fields.ts';
export { bearerToken } from './guard.ts';
export {
  ANSWERS_KEPT_MS,
  forgetAnswers,
  forgetAnswersTo,
  forgetAnswersToTokens,
  purgeIdempotencyKeys,
} from './idempotency.store.ts';
export { idempotency } from './idempotency.ts';
export { lookUp } from './look-up.ts';
export { documentRoutes } from './openapi/index.ts';
export { attribute, type Origin, originOf, requestOrigin } from './origin.ts';
export {
  fitting,
  listPage,
  listPageById,
  type Page,
  type PageOrAll,
  pageOf,
  readPage,
  readPageOrAll,
  type TimeKey,
  timeKeyOf,
} from './paging.ts';
export { demandPassword } from './password-shown.ts';
export type { Access, ApplicationPrincipal, TokenGrant, UserPrincipal } from './principal.ts';
export { CALLS_IN_TURN, type CallsInTurn, callsInTurn, costlyWork, turnOf } from './queued.ts';
export { type Allowance, RateLimiter, type RateLimits } from './rate-limit.ts';
export { type CallbackFailure, type LimitName, reasonPatterns, reasons } from './reasons.ts';
export { Answer, defineRoute, PlainText, Redirect } from './route.ts';
export { collectRoutes, type ListedRoute } from './route-list.ts';
export {
  ByHand,
  Expecting,
  Line,
  Name,
  Nullable,
  nextCursor,
  OneOf,
  pageQuery,
  Shared,
  Text,
  Timestamp,
  timestamp,
  Uuid,
} from './schemas.ts';
export { type AnsweredRequest, createServer } from './server.ts';
export { beginServerEvents, ServerEvents } from './server-events.ts';
export { EXCHANGE_MS, SharedRateLimiter, WORTH_TELLING } from './shared-rate-limit.ts';
export { takeUploads, type Upload, withUpload } from './upload.ts';
export { COLOR } from './validation.ts';
export {
  asTeam,
  asUser,
  type Caller,
  callerOf,
  inTeamOf,
  MAY_CHANGE_PROFILE,
  MAY_GIVE_HIGH_FIVES,
  MAY_MARK,
  MAY_POST,
  MAY_READ,
  MAY_READ_FILES,
  MAY_READ_ITSELF,
  MAY_SEE_HIGH_FIVES,
  MAY_UPLOAD,
  MAY_WRITE,
  MAY_WRITE_ITSELF,
  MEMBERS_ITSELF,
  refuseOtherTeam,
  refuseTokens,
  seesAddresses,
  type Viewer,
  viewerOf,
} from './viewer.ts';
export { whileAdmitted } from './while-admitted.ts';
export { Written, writer } from './written.ts';
