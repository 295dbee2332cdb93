/** One entry of an error answer (part 7 of the interface). */
export interface ErrorItem {
  message: string;
  code: number;
  /** More detail where there is any: a field's path, `access_denied`, … */
  reason?: string;
}

/** A field is missing or wrong: the reason is its path. */
const WRONG_FIELD = 4002;

/** The platform refused, or an intermediary answered in its place. */
export class ParleyError extends Error {
  override readonly name: string = 'ParleyError';
  /** The HTTP status. */
  readonly status: number;
  /** All errors; empty when the answer came from an intermediary and not from the platform. */
  readonly errors: readonly ErrorItem[];

  constructor(status: number, errors: readonly ErrorItem[], message?: string) {
    super(message ?? messageOf(status, errors));
    this.status = status;
    this.errors = errors;
  }

  /** The first error's code, such as 4010; undefined without one. */
  get code(): number | undefined {
    return this.errors[0]?.code;
  }

  /** The first error's reason, such as `access_denied`; undefined without one. */
  get reason(): string | undefined {
    return this.errors[0]?.reason;
  }
}

function messageOf(status: number, [first, ...others]: readonly ErrorItem[]): string {
  if (!first) return `the answer, with HTTP status ${status}, did not come from the platform`;
  const { message, code, reason } = first;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  if (code === WRONG_FIELD && reason !== undefined) return `${reason}: ${message} (${code})${more}`;
  return `${message} (${[code, reason].filter((part) => part !== undefined).join(', ')})${more}`;
}

/** The token route, one of its relatives, or the person at the sign-in refused (RFC 6749 §5.2 and §4.1.2.1). */
export class TokenError extends ParleyError {
  override readonly name: string = 'TokenError';
  /** `invalid_grant` when the code or token is no longer valid: let the user open the application again. */
  readonly error: string;

  /** @param advice what to check */
  constructor(error: string, status: number, advice?: string) {
    super(status, [], advice === undefined ? `OAuth: ${error}` : `OAuth: ${error}: ${advice}`);
    this.error = error;
  }

  /** The error again, where other errors have their reason. */
  override get reason(): string {
    return this.error;
  }
}

/** A call that did not come from the platform, or belongs to another address. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

/** Told of an error that no other attempt would mend. */
export type Report = (error: unknown) => void;

/** Whether the platform refused something that it would refuse again. An intermediary's answer may be another one later. */
export function isRefusal(error: unknown): error is ParleyError {
  if (!(error instanceof ParleyError) || error.status < 400 || error.status >= 500) return false;
  if (error instanceof TokenError) return error.status !== 429 && !error.error.startsWith('status_');
  // A request with the same key that is still carried out ends soon; too many end with the next minute.
  return error.errors.length > 0 && ![408, 429].includes(error.status) && error.reason !== 'in_progress';
}
