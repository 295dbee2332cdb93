export type OutboundReason =
  | 'refused_address'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'protocol'
  | 'too_large'
  | 'timeout'
  | 'closed'
  | 'busy';

/** Why a call got no response. `message` is safe to show to the person who chose the address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

// The codes that OpenSSL's certificate check and Node's TLS layer report.
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_|INVALID_(CA|PURPOSE)$|PATH_LENGTH_|HOSTNAME_)/;
const PROTOCOL_CODE = /^(HPE_|HTTPParserError$|UND_ERR_RES_CONTENT_LENGTH_MISMATCH$)/;

/**
 * Maps an error of a call to a reason. Only the code is passed on: an error's text can contain resolved addresses.
 * @throws the same error when it is our own mistake: a header that HTTP does not allow
 */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG') throw error;
  return classify(code, error);
}

function classify(code: string, cause: unknown): OutboundError {
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return timedOut();
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new OutboundError('too_large', 'The headers of the answer are too large.', { cause });
  }
  if (PROTOCOL_CODE.test(code)) return notHttp(cause);
  if (TLS_CODE.test(code)) return new OutboundError('tls', `No trusted TLS connection (${code}).`, { cause });
  return new OutboundError('connection', `The connection failed (${code}).`, { cause });
}

export function shutDown(): OutboundError {
  return new OutboundError('closed', 'The server is shutting down.');
}

export function outOfTurn(): OutboundError {
  return new OutboundError('busy', 'Too many calls to addresses of one owner are under way.');
}

export function timedOut(): OutboundError {
  return new OutboundError('timeout', 'There was no complete answer in time.');
}

/** Whether the other side had ended the connection. */
export const wasClosed = (cause: unknown) =>
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(codeOf(cause));

/** One failure for all cases whose difference would reveal what listens there. */
export function unreachable(cause: unknown): OutboundError {
  return new OutboundError('connection', 'There was no usable answer.', { cause });
}

function notHttp(cause: unknown): OutboundError {
  return new OutboundError('protocol', 'The answer is not valid HTTP/1.1.', { cause });
}

/**
 * Everything that the other side can provoke must become a failure, so an error without a code is identified by its
 * name.
 */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
