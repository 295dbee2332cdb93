/** One entry of an error answer (part 7 of the interface). */
export interface ErrorItem {
  message: string;
  code: number;
  reason?: string;
}

/** The platform answered with an error. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The HTTP status. */
  readonly status: number;
  readonly errors: readonly ErrorItem[];

  constructor(status: number, errors: readonly ErrorItem[]) {
    super(errors[0]?.message ?? `HTTP ${status}`);
    this.status = status;
    this.errors = errors;
  }

  /** The first error's code, as 4010; undefined when the answer was no error of the platform's own. */
  get code(): number | undefined {
    return this.errors[0]?.code;
  }

  get reason(): string | undefined {
    return this.errors[0]?.reason;
  }
}

/** The token route refused (RFC 6749 §5.2). */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  /** `invalid_grant` and its like. */
  readonly error: string;

  constructor(error: string) {
    super(`the token route answered ${error}`);
    this.error = error;
  }
}

/** A call that did not come from the platform. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}
