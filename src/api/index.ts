export { isUnavailable, reportUnavailable } from './availability.ts';
export { noteError, retryAfterOf, toApiError } from './error-handler.ts';
export * from './errors.ts';
export type { Authenticators } from './guard/context.ts';
export { bearerToken, keepToTeam } from './guard/guard.ts';
export { attribute, type Origin, originOf, requestOrigin } from './guard/origin.ts';
export { demandPassword } from './guard/password-shown.ts';
export type { Access, ApplicationPrincipal, TokenGrant, UserPrincipal } from './guard/principal.ts';
export { CALLS_IN_TURN, type CallsInTurn, callsInTurn, costlyWork, turnOf } from './guard/queued.ts';
export { type Allowance, RateLimiter, type RateLimits } from './guard/rate-limit.ts';
export { EXCHANGE_MS, SharedRateLimiter, WORTH_TELLING } from './guard/shared-rate-limit.ts';
export {
  asTeam,
  asUser,
  type Caller,
  callerOf,
  DIRECT_ITSELF,
  inTeamOf,
  LISTS_ITSELF,
  MAY_CHANGE_PROFILE,
  MAY_GIVE_HIGH_FIVES,
  MAY_LIST,
  MAY_MARK,
  MAY_POST,
  MAY_REACT,
  MAY_READ,
  MAY_READ_FILES,
  MAY_READ_ITSELF,
  MAY_READ_TEAM,
  MAY_READ_TEAM_ITSELF,
  MAY_SEE_HIGH_FIVES,
  MAY_SEE_REACTIONS,
  MAY_UPLOAD,
  MAY_WRITE,
  MAY_WRITE_ITSELF,
  MAY_WRITE_TEAM,
  MAY_WRITE_TEAM_ITSELF,
  MEMBERS_ITSELF,
  onlookerOf,
  refuseOtherTeam,
  refuseTokens,
  seesAddresses,
  type Viewer,
  viewerOf,
} from './guard/viewer.ts';
export { whileAdmitted } from './guard/while-admitted.ts';
export type { Again } from './idempotency/attempt.ts';
export {
  ANSWERS_KEPT_MS,
  forgetAnswers,
  forgetAnswersTo,
  forgetAnswersToTokens,
  purgeIdempotencyKeys,
  rewriteAnswers,
} from './idempotency/idempotency.store.ts';
export { idempotency } from './idempotency/idempotency.ts';
export { listen } from './listen.ts';
export { documentRoutes } from './openapi/index.ts';
export { type CallbackFailure, type LimitName, reasonPatterns, reasons } from './reasons.ts';
export { DEEPEST, MOST_ITEMS } from './route/bounds.ts';
export { EXPECTS, expectation } from './route/expectation.ts';
export { readFields } from './route/fields.ts';
export { lookUp } from './route/look-up.ts';
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
} from './route/paging.ts';
export { Answer, defineRoute, PlainText, Redirect } from './route/route.ts';
export { collectRoutes, type ListedRoute } from './route/route-list.ts';
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
} from './route/schemas.ts';
export { takeUploads, type Upload, withUpload } from './route/upload.ts';
export { COLOR } from './route/validation.ts';
export { Written, writer } from './route/written.ts';
export { type AnsweredRequest, createServer } from './server.ts';
export { beginServerEvents, keepNewest, ServerEvents } from './server-events.ts';
