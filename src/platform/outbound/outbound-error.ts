export type OutboundReason =
  | 'refused_address'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'protocol'
  | 'too_large'
  | 'timeout'
  | 'closed';

/** Why a call got no answer. `message` is safe to show to whoever chose the address. */
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

/**
 * Gives an error of the network its reason. Only its code is repeated: its text can hold resolved addresses.
 * @throws the same error when it is not of the network but a mistake of the caller's, such as a broken header.
 */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  if (code === undefined || code === 'UND_ERR_INVALID_ARG') throw error;
  return classify(code, error);
}

function classify(code: string, cause: unknown): OutboundError {
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return timedOut();
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return new OutboundError('too_large', 'The headers of the answer are too large.', { cause });
  }
  if (code.startsWith('HPE_')) return new OutboundError('protocol', 'The answer is not valid HTTP/1.1.', { cause });
  if (TLS_CODE.test(code)) return new OutboundError('tls', `No trusted TLS connection (${code}).`, { cause });
  return new OutboundError('connection', `The connection failed (${code}).`, { cause });
}

export function timedOut(): OutboundError {
  return new OutboundError('timeout', 'There was no complete answer in time.');
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
