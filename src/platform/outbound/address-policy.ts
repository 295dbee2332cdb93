import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressPolicy {
  /** Also accept this machine itself, by plain HTTP as well. Never widens anything else. */
  readonly allowLoopback: boolean;
}

export type UrlRefusal = 'malformed' | 'not_https' | 'credentials' | 'fragment' | 'forbidden_address';

/** `detail` is a sentence for the person who chose the address. It does not reveal what a name resolves to. */
export type UrlCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: UrlRefusal; readonly detail: string };

const SENTENCES: Record<UrlRefusal, string> = {
  malformed: 'This is not an absolute web address.',
  not_https: 'The address must begin with https://.',
  credentials: 'The address must not contain a user name or password.',
  fragment: 'The address must not contain a fragment (#).',
  forbidden_address: 'The address does not lead to a public host.',
};

/**
 * Checks an address without resolving its name: at registration, and again before each call. The resolved addresses
 * of a name are checked on connection.
 */
export function checkUrl(text: string, policy: AddressPolicy): UrlCheck {
  const url = URL.parse(text);
  if (!url) return refuse('malformed');
  // The parser drops an empty fragment from `hash`, so ask the text: a '#' can be nothing else.
  if (text.includes('#')) return refuse('fragment');
  if (url.username || url.password) return refuse('credentials');
  if (!isAcceptedScheme(url, policy)) return refuse('not_https');
  if (isForbiddenHost(hostOf(url), policy)) return refuse('forbidden_address');
  return { ok: true, url };
}

/**
 * Whether connections to this IP address are forbidden. Only public unicast is allowed. Spellings that `net.isIP`
 * does not know are forbidden too, because two parsers may read them as different addresses.
 */
export function isForbiddenAddress(ip: string, policy: AddressPolicy): boolean {
  if (policy.allowLoopback && isLoopbackAddress(ip)) return false;
  return !isPublicAddress(ip);
}

/** 127.0.0.0/8 and ::1. Not 0.0.0.0, and not IPv4 wrapped into IPv6, which have no legitimate use here. */
export function isLoopbackAddress(ip: string): boolean {
  return isIP(ip) !== 0 && ipaddr.parse(ip).range() === 'loopback';
}

// Azure serves its instances' settings and secrets from an address within public space. The other clouds' metadata
// addresses are link-local, shared or unique-local, and fall with those ranges.
const PLATFORM_SERVICES = new Set(['168.63.129.16']);

// All unicast space ever assigned for public use. IPv4-mapped and -compatible addresses and both NAT64 prefixes lie
// outside it; any of them may carry a private IPv4 address.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0 || PLATFORM_SERVICES.has(ip)) return false;
  const address = ipaddr.parse(ip);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}

function isAcceptedScheme(url: URL, policy: AddressPolicy): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && policy.allowLoopback && isLoopbackHost(hostOf(url));
}

function isForbiddenHost(host: string, policy: AddressPolicy): boolean {
  if (isIP(host) !== 0) return isForbiddenAddress(host, policy);
  return isLoopbackName(host) && !policy.allowLoopback;
}

/** Whether a host, from an address or a listening socket, is this machine. */
export function isLoopbackHost(host: string): boolean {
  return isLoopbackName(host) || isLoopbackAddress(host.replace(/^\[|\]$/g, ''));
}

/** RFC 6761 section 6.3: `localhost` and every name below it. */
function isLoopbackName(host: string): boolean {
  return /(^|\.)localhost\.*$/.test(host);
}

/** The parser has lower-cased it and turned decimal, octal, hexadecimal and short IPv4 into four plain numbers. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function refuse(reason: UrlRefusal): UrlCheck {
  return { ok: false, reason, detail: SENTENCES[reason] };
}
