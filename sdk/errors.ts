/** One entry of an error answer (part 7 of the interface). */
export interface ErrorItem {
  message: string;
  code: number;
  /** More detail where there is any: a field's path, `access_denied`, … */
  reason?: string;
}

/** The platform refused, or an intermediary answered in its place. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The HTTP status. */
  readonly status: number;
  /** All errors; empty when the answer came from an intermediary and not from the platform. */
  readonly errors: readonly ErrorItem[];

  constructor(status: number, errors: readonly ErrorItem[]) {
    super(errors[0]?.message ?? `the answer, with HTTP status ${status}, did not come from the platform`);
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

/** The token route, one of its relatives, or the person at the sign-in refused (RFC 6749 §5.2 and §4.1.2.1). */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  /** `invalid_grant` when the code or token is no longer valid: let the user open the application again. */
  readonly error: string;
  /** The HTTP status; from 500 on, and 429, it may work later. */
  readonly status: number;

  constructor(error: string, status: number) {
    super(`OAuth: ${error}`);
    this.error = error;
    this.status = status;
  }
}

/** A call that did not come from the platform, or belongs to another address. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}
