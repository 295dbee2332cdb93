import { type AddressPolicy, checkUrl, type UrlRefusal } from '#platform/outbound/index.ts';
import { isOnServer } from '#platform/text/index.ts';

export interface OwnPolicy extends AddressPolicy {
  /** Of this server, whose own addresses are refused: a link there would act with the session of the one who follows it. */
  readonly origin: string;
}

export type ReadAddress =
  | { readonly ok: true; readonly href: string }
  | { readonly ok: false; readonly detail: string; readonly reason?: UrlRefusal };

/** RFC 3986 §2: the characters of an address. */
const WRITTEN = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const UNREADABLE = /[\p{Cc}\\]|^\s|\s$|%(?![0-9A-Fa-f]{2})/u;

/**
 * An application's address in its normalised form. The parser also accepts text that others read as a different
 * address, such as backslashes and line ends: such an address is refused.
 */
export function readAddress(text: string, policy: OwnPolicy): ReadAddress {
  const checked = checkUrl(text, policy);
  if (!checked.ok) return checked;
  if (isOnServer(checked.url, policy.origin))
    return { ok: false, detail: 'The address leads to this server itself.' };
  return readSpelling(text, checked.url);
}

/** @param url the text as the parser reads it */
export function readSpelling(text: string, url: URL): ReadAddress {
  if (UNREADABLE.test(text)) {
    const detail =
      'The address must not contain backslashes, line breaks or other controls, blanks at its ends, or a lone %.';
    return { ok: false, detail };
  }
  const { href } = url;
  if (WRITTEN.test(text)) return { ok: true, href };
  const encoded = href.replaceAll(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/g, encodeURIComponent);
  return { ok: false, detail: `Write the address percent-encoded: ${encoded}` };
}

/**
 * Whether two spellings are the same address: an application registered with `https://a.example` may keep sending
 * that.
 */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || (URL.parse(one)?.href ?? one) === (URL.parse(other)?.href ?? other);
}
