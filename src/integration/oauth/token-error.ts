/** The errors of RFC 6749 §5.2 and RFC 8707 §2, and two for failures that are not the client's fault, with advice. */
export const tokenErrors = {
  invalid_request:
    'Send a form with all required parameters and none of them twice; credentials as Basic or in the form, not both.',
  invalid_client: 'Check `client_id` and `client_secret`. The status is 401.',
  invalid_grant:
    'The code or refresh token is wrong, used, expired or revoked, or its `redirect_uri` or `code_verifier` does not match: have the person open the application again.',
  unauthorized_client:
    'The application is suspended, or the team has not agreed to its new owner yet: it may get no tokens until that ends. Or it is public, and asked for a token of its own.',
  unsupported_grant_type:
    'Send `authorization_code`, `refresh_token` or `client_credentials` as `grant_type`.',
  invalid_scope:
    'Ask for no more scopes than the refresh token has; with `client_credentials`, no more than the application asks for and the team granted of the scopes that there are for an application as itself.',
  invalid_target: 'Name, as `team` or as `resource`, one team that has the application installed.',
  temporarily_unavailable: 'Repeat the request after the seconds in `Retry-After`. The status is 429 or 503.',
  server_error: 'A fault of the server: its log has the details. The status is 500.',
} as const;

export type TokenErrorCode = keyof typeof tokenErrors;

/**
 * Why a client got no token, for its owner and for a program with its secret: the answer has the error and nothing more
 * (RFC 6749 §5.2), since it goes to whoever asks.
 */
export const tokenFailures = {
  json_body: ['invalid_request', 'The body was JSON, and has to be a form'],
  no_form: ['invalid_request', 'The body was no form that could be read'],
  repeated_parameter: ['invalid_request', 'A parameter was there twice'],
  two_credentials: ['invalid_request', 'The secret was in the header and in the form'],
  no_grant_type: ['invalid_request', '`grant_type` was missing'],
  no_code: ['invalid_request', '`code` was missing'],
  no_redirect_uri: ['invalid_request', '`redirect_uri` was missing'],
  no_refresh_token: ['invalid_request', '`refresh_token` was missing'],
  no_team: ['invalid_request', 'Neither `team` nor `resource` was there'],
  no_secret: ['invalid_client', 'The secret was missing, and the application has one'],
  wrong_secret: ['invalid_client', 'The secret was wrong, or is good no longer'],
  secret_of_public: ['invalid_client', 'A secret was sent, and the application is public'],
  suspended: ['unauthorized_client', 'The application is suspended'],
  unconfirmed: ['unauthorized_client', 'The team has not agreed to the new owner of the application'],
  public_client: ['unauthorized_client', 'A public application gets no token of its own'],
  unknown_grant_type: ['unsupported_grant_type', '`grant_type` was none of those that there are'],
  unknown_code: ['invalid_grant', 'There is no such code of the application, or it is long over'],
  used_code: ['invalid_grant', 'The code was used before, so its tokens were ended'],
  expired_code: ['invalid_grant', 'The code was over'],
  other_redirect_uri: ['invalid_grant', '`redirect_uri` was not that of the request for the code'],
  no_verifier: ['invalid_grant', '`code_verifier` was missing: PKCE is required'],
  wrong_verifier: ['invalid_grant', '`code_verifier` does not fit the challenge of the request for the code'],
  verifier_without_challenge: [
    'invalid_grant',
    'The request for the code had no challenge for `code_verifier`',
  ],
  no_longer_allowed: [
    'invalid_grant',
    'Since then the person, the team or the application has changed, so the code is good no longer',
  ],
  unknown_refresh_token: [
    'invalid_grant',
    'There is no such refresh token of the application, or the person or the team has ended it',
  ],
  ended_refresh_token: ['invalid_grant', 'The refresh token was ended, or is over'],
  reused_refresh_token: [
    'invalid_grant',
    'The refresh token was replaced before, so all tokens of its sign-in were ended',
  ],
  wider_scope: ['invalid_scope', '`scope` has more than was granted, or nothing was granted'],
  unknown_team: ['invalid_target', '`team` or `resource` is no team that has the application installed'],
} as const satisfies Record<string, readonly [TokenErrorCode, string]>;

export type TokenFailure = keyof typeof tokenFailures;

/** An error of the token route and its relatives, which answer `{"error": …}` without the envelope. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly error: TokenErrorCode;
  readonly status: number;
  /** Missing for failures that are not the client's fault. */
  readonly failure: TokenFailure | undefined;

  constructor(
    error: TokenErrorCode,
    status = error === 'invalid_client' ? 401 : 400,
    failure?: TokenFailure,
  ) {
    super(failure ?? error);
    this.error = error;
    this.status = status;
    this.failure = failure;
  }
}

export const refusal = (failure: TokenFailure): TokenError =>
  new TokenError(tokenFailures[failure][0], undefined, failure);
