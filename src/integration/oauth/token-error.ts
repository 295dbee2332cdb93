/** The errors of RFC 6749 §5.2 and RFC 8707 §2, and two for failures that are not the client's fault, with advice. */
export const tokenErrors = {
  invalid_request:
    'Send a form with all required parameters and none of them twice; credentials as Basic or in the form, not both.',
  invalid_client: 'Check `client_id` and `client_secret`. The status is 401.',
  invalid_grant:
    'The code or refresh token is wrong, used, expired or revoked, or its `redirect_uri` or `code_verifier` does not match: have the person open the application again.',
  unauthorized_client:
    'The application is suspended, or the team has not agreed to its new owner yet: it may get no tokens until that ends.',
  unsupported_grant_type:
    'Send `authorization_code`, `refresh_token` or `client_credentials` as `grant_type`.',
  invalid_scope:
    'Ask for no more scopes than the refresh token has; with `client_credentials`, no more than the application asks for and the team granted of the scopes that there are for an application as itself.',
  invalid_target: 'Name, as `team` or as `resource`, one team that has the application installed.',
  temporarily_unavailable: 'Repeat the request after the seconds in `Retry-After`. The status is 429 or 503.',
  server_error: 'A fault of the server: its log has the details. The status is 500.',
} as const;

export type TokenErrorCode = keyof typeof tokenErrors;

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
