import { maxHeaderSize } from 'node:http';
/**
 * Every error an answer can carry, one class each. The first three digits of a code are the HTTP status. The table
 * in docs/errors.md is made from this file and reasons.ts.
 */

import type { CallbackFailure, LimitName, Named, Reason, ReasonOf } from './reasons.ts';

/** One entry of an error answer. */
export interface ErrorItem {
  message: string;
  code: number;
  reason?: string;
  /** Of a problem with blocks: its place in the body (RFC 6901). */
  pointer?: string;
}

/** The static side of an error class. */
export interface ErrorClass {
  readonly code: number;
  readonly text: string;
  /** When the error occurs, for the documentation. */
  readonly when: string;
  // biome-ignore lint/suspicious/noExplicitAny: the classes differ only in what their constructors take
  new (...given: any[]): ApiError;
}

/** An error that may be shown to the caller as it is. `cause` is only logged. */
export abstract class ApiError<R extends Reason = Reason> extends Error {
  readonly reason: R | undefined;

  constructor(reason?: R, message?: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
    this.message ||= this.#class.text;
  }

  get #class(): ErrorClass {
    return this.constructor as unknown as ErrorClass;
  }

  get code(): number {
    return this.#class.code;
  }

  /** The HTTP status. */
  get status(): number {
    return statusOf(this.code);
  }

  get items(): ErrorItem[] {
    const { message, code, reason } = this;
    return [reason === undefined ? { message, code } : { message, code, reason }];
  }
}

/** The HTTP status of an error code. */
export function statusOf(code: number): number {
  return Math.floor(code / 10);
}

export class UnreadableBody extends ApiError<never> {
  static readonly code = 4000;
  static readonly text = 'The body cannot be read';
  static readonly when = 'The body is broken JSON, no JSON object, or not UTF-8.';
}

export class UnknownUser extends ApiError<never> {
  static readonly code = 4001;
  static readonly text = 'Unknown error';
  static readonly when = 'The user does not exist, or is not visible to the caller.';
}

/** A problem with one field. */
export interface FieldProblem {
  /** The path of the field: `name`, `mentions.0.id`. */
  field: string;
  /** The expected form. */
  message: string;
  /** The JSON pointer of the field (RFC 6901), where one is given. */
  pointer?: string;
}

/** Entries of one error answer: a person mends no more at once, and a body can have a hundred thousand. */
export const MOST_PROBLEMS = 50;

export class InvalidFields extends ApiError<Named> {
  static readonly code = 4002;
  static readonly text = 'A field is missing or wrong';
  static readonly when =
    `A field is missing or wrong: one entry for each, ${MOST_PROBLEMS} at most, \`reason\` being the path of the field.`;
  readonly problems: readonly FieldProblem[];

  constructor(given: FieldProblem | readonly FieldProblem[]) {
    const problems = [given].flat();
    super(problems[0]?.field as Named | undefined, problems[0]?.message);
    this.problems = problems.slice(0, MOST_PROBLEMS);
  }

  override get items(): ErrorItem[] {
    return this.problems.map(({ field, message, pointer }) => ({
      message,
      code: this.code,
      reason: field,
      ...(pointer !== undefined && { pointer }),
    }));
  }
}

export class NobodyAddressed extends ApiError<never> {
  static readonly code = 4003;
  static readonly text = 'The message addresses nobody: give addressed_teams or addressed_users';
  static readonly when = 'A message addresses neither a team nor a user.';
}

export class EmptyMessage extends ApiError<never> {
  static readonly code = 4004;
  static readonly text = 'text or attachments cannot be empty';
  static readonly when = 'A message has neither text, attachments nor blocks.';
}

export class SeveralTeamsAddressed extends ApiError<never> {
  static readonly code = 4005;
  static readonly text = 'Only one team may be addressed';
  static readonly when = 'A message addresses more than one team.';
}

export class TeamAndUsersAddressed extends ApiError<never> {
  static readonly code = 4006;
  static readonly text = 'When a team is addressed, no user may be addressed';
  static readonly when = 'A message addresses a team and users together.';
}

export class WrongMention extends ApiError<ReasonOf<4007>> {
  static readonly code = 4007;
  static readonly text = 'The mention is wrong';
  static readonly when =
    'A mention is not of an object of the calling application (`not_found`), there is more than one ' +
    '(`several`), or the text lacks `{0}` (`no_placeholder`).';
}

export class UnreachableAddressee extends ApiError<Named> {
  static readonly code = 4008;
  static readonly text = 'An addressed user or team is unknown or cannot be reached by the author';
  static readonly when =
    'An addressee is unknown, has closed the account, or shares no team with the author: one entry for each, ' +
    `${MOST_PROBLEMS} at most, which \`reason\` names.`;
  readonly addressees: readonly string[];

  /** @param given the ids, or the values given in their place */
  constructor(given: string | readonly string[]) {
    const addressees = [given].flat();
    super(addressees[0] as Named | undefined);
    this.addressees = addressees.slice(0, MOST_PROBLEMS);
  }

  override get items(): ErrorItem[] {
    return this.addressees.map((reason) => ({ message: this.message, code: this.code, reason }));
  }
}

export class NotAuthorized extends ApiError<never> {
  static readonly code = 4010;
  static readonly text = 'Not authorized';
  static readonly when = 'Application credentials or the user’s authorization are missing or wrong.';
  /** Names the credentials that the route takes, or says what is wrong with those that came. */
  readonly advice: string | undefined;

  /** @param advice for the header `WWW-Authenticate`: ASCII without quotes. The usual message is part of the interface */
  constructor(advice?: string, message?: string) {
    super(undefined, message);
    this.advice = advice;
  }
}

export class InvalidToken extends ApiError<ReasonOf<4012>> {
  static readonly code = 4012;
  static readonly text = 'OAuth authorization error.';
  static readonly when = 'The Bearer token is invalid, expired or revoked (`access_denied`).';

  constructor() {
    super('access_denied');
  }
}

export class NotAllowed extends ApiError<ReasonOf<4030>> {
  static readonly code = 4030;
  static readonly text = 'Not allowed';
  static readonly when = 'The caller is known, but may not do this; `reason` says why.';
}

const REFUSALS = new Map([
  ['session', 'This route needs a session; tokens cannot call it'],
  ['person', 'This route acts for a person; this token is the application’s own'],
]);

export class ScopeMissing extends ApiError<ReasonOf<4031> | Named> {
  static readonly code = 4031;
  static readonly text = 'The access token lacks a scope';
  static readonly when =
    'The token lacks the scope that `reason` names, or the route is not open to tokens (`session`), or to tokens without a person (`person`).';

  /** @param reason the scope, `session` or `person` @param message where another one says more */
  constructor(reason: string, message?: string) {
    const usual = REFUSALS.get(reason) ?? `The access token lacks the scope ${reason}`;
    super(reason as Named | 'session' | 'person', message ?? usual);
  }
}

export class NotFound extends ApiError<ReasonOf<4040>> {
  static readonly code = 4040;
  static readonly text = 'Not found';
  static readonly when = 'The object in the path does not exist, or is not visible to the caller.';
}

export class MethodNotAllowed extends ApiError<never> {
  static readonly code = 4050;
  static readonly text = 'Method not allowed';
  static readonly when = 'The path exists, but not with this method; the header `Allow` lists those it has.';
}

export class TooSlow extends ApiError<never> {
  static readonly code = 4080;
  static readonly text = 'The request did not arrive in time';
  static readonly when = 'The rest of a request did not arrive within the time a server waits for it.';
}

export class Conflict extends ApiError<ReasonOf<4090>> {
  static readonly code = 4090;
  static readonly text = 'Conflict';
  static readonly when = 'The request conflicts with the present state; `reason` says how.';
}

/** A bound of what a request may hold. */
export interface SizeLimit {
  readonly bytes: number;
  /** The setting that raises it; none for a bound that stands. */
  readonly setting?: 'MAX_BODY_BYTES' | 'MAX_UPLOAD_BYTES' | 'WEBHOOK_MAX_BODY_BYTES';
}

export class TooLarge extends ApiError<never> {
  static readonly code = 4130;
  static readonly text = 'The body is too large';
  static readonly when = 'The body, or the uploaded file, is larger than the bound that the message names.';

  constructor(limit?: SizeLimit) {
    const of = limit?.setting ? ` (${limit.setting})` : '';
    super(undefined, limit && `At most ${limit.bytes} bytes are accepted here${of}`);
  }
}

export class UnsupportedMediaType extends ApiError<never> {
  static readonly code = 4150;
  static readonly text = 'The Content-Type is not supported here; send application/json';
  static readonly when =
    'The body has a Content-Type that the route does not take, another charset than UTF-8, or a Content-Encoding.';
}

export class RangeNotSatisfiable extends ApiError<never> {
  static readonly code = 4160;
  static readonly text = 'The range is not within the file';
  static readonly when = 'The header `Range` asks for bytes beyond the end; `Content-Range` gives the size.';
}

export class WrongHost extends ApiError<never> {
  static readonly code = 4210;
  static readonly text = 'The server has another address';
  static readonly when =
    'The header `Host` names another server than `BASE_URL`. `/healthz`, `/readyz` and `/metrics` answer under every name.';

  /** @param address where the server is */
  constructor(address?: string) {
    super(undefined, address && `The server has another address: ${address}`);
  }
}

export class CallbackRefused extends ApiError<CallbackFailure> {
  static readonly code = 4240;
  static readonly text = 'The application refused or failed its pre-install callback';
  static readonly when =
    'The pre-install callback did not answer 200 (`status_500`, `timeout`, `refused_address`, …).';
}

export class TooManyRequests extends ApiError<LimitName> {
  static readonly code = 4290;
  static readonly text = 'Too many requests; try again after the seconds in Retry-After';
  static readonly when = 'A rate limit is reached; the header `Retry-After` gives the seconds to wait.';
  readonly retryAfter: number;

  /** @param policy the name of the limit @param retryAfter seconds */
  constructor(policy: LimitName, retryAfter: number) {
    super(policy);
    this.retryAfter = retryAfter;
  }
}

const HEADERS = `${maxHeaderSize / 1024} KiB`;

export class HeadersTooLarge extends ApiError<never> {
  static readonly code = 4310;
  static readonly text = `The address and headers are too large: at most ${HEADERS} together`;
  static readonly when = `The address and the headers together are larger than ${HEADERS}.`;
}

export class InternalError extends ApiError<never> {
  static readonly code = 5000;
  static readonly text = 'Something went wrong on our side; the log has the details under this request’s id';
  static readonly when = 'A fault of the server. Nothing internal is shown.';
}

export class Unavailable extends ApiError<ReasonOf<5030>> {
  static readonly code = 5030;
  static readonly text = 'The server is starting, stopping or overloaded; try again soon';
  static readonly when =
    'The server cannot answer now, or cannot store anything because its disk is full (`disk_full`); the header ' +
    '`Retry-After` gives the seconds to wait. A retry is safe with an `Idempotency-Key`.';
  readonly retryAfter: number = 2;
}

/** Reading works; requests that store something are refused until space is free again. */
export class DiskFull extends Unavailable {
  override readonly retryAfter = 60;

  constructor(cause: unknown) {
    super('disk_full', 'The server’s disk is full, so nothing can be stored; reading works', cause);
  }
}

/** Nothing of the request was carried out. The log tells it from a server that is overloaded. */
export class Stopping extends Unavailable {
  constructor(cause?: unknown) {
    super('stopping', 'The server is stopping; try again soon', cause);
  }
}

/** In the order of their codes. */
export const errorClasses: readonly ErrorClass[] = [
  UnreadableBody,
  UnknownUser,
  InvalidFields,
  NobodyAddressed,
  EmptyMessage,
  SeveralTeamsAddressed,
  TeamAndUsersAddressed,
  WrongMention,
  UnreachableAddressee,
  NotAuthorized,
  InvalidToken,
  NotAllowed,
  ScopeMissing,
  NotFound,
  MethodNotAllowed,
  TooSlow,
  Conflict,
  TooLarge,
  UnsupportedMediaType,
  RangeNotSatisfiable,
  WrongHost,
  CallbackRefused,
  TooManyRequests,
  HeadersTooLarge,
  InternalError,
  Unavailable,
];
