/** The errors of RFC 6749 §5.2, and two for what is not the client's fault. */
export type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'temporarily_unavailable'
  | 'server_error';

/** An error of the token route and its relatives, which answer `{"error": …}` without the envelope. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly error: TokenErrorCode;
  readonly status: number;

  constructor(error: TokenErrorCode, status = error === 'invalid_client' ? 401 : 400) {
    super(error);
    this.error = error;
    this.status = status;
  }
}
