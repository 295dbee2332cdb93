/** The server that relays mails. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (RFC 8314), as opposed to STARTTLS. */
  readonly secure: boolean;
  /** Refuse to send over an unencrypted connection. */
  readonly requireTLS: boolean;
  /** Take any certificate: an observer who could forge one could also remove the encryption. */
  readonly anyCertificate: boolean;
  /** The name in EHLO, where the address gives one. */
  readonly name: string | undefined;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}

/** The sender of mails. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * Reads `smtp://user:pass@host:587` or `smtps://…`. A password requires an encrypted connection, unless the server is
 * on this machine or the address says `?tls=optional`. `?name=…` is the name in EHLO.
 * @returns undefined for any other text
 */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined;
  const secure = url.protocol === 'smtps:';
  const user = decode(url.username);
  const pass = decode(url.password);
  if (user === undefined || pass === undefined) return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const local = host === 'localhost' || host === '::1' || host.startsWith('127.');
  const optional = local || url.searchParams.get('tls') === 'optional';
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && user !== '' && !optional,
    anyCertificate: local || (optional && !secure),
    name: url.searchParams.get('name') || undefined,
    auth: user === '' ? undefined : { user, pass },
  };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const ADDRESS = '[^\\s@<>,;"]+@[^\\s@<>,;"]+';

/** Reads `parley@example.org` or `Parley <parley@example.org>`. @returns undefined for any other text */
export function readSender(text: string): Sender | undefined {
  if (/\p{Cc}/u.test(text)) return undefined;
  const [, before = '', address] = new RegExp(`^([^<>]*)<(${ADDRESS})>$`).exec(text.trim()) ?? [];
  const name = /^"?([^"]*)"?$/.exec(before.trim())?.[1];
  if (address !== undefined && name !== undefined) return { name: name.trim(), address };
  return new RegExp(`^${ADDRESS}$`).test(text.trim()) ? { name: '', address: text.trim() } : undefined;
}
