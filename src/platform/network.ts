import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export const IPV6_PREFIX = 64;
const LOOPBACK = '127.0.0.1';

/**
 * The unit by which callers are counted: an IPv4 address, also when mapped into IPv6, or the /64 of an IPv6 address,
 * the smallest network assigned to a connection (RFC 6177), within which its owner chooses addresses freely. A caller on
 * this machine is one, by either address of `localhost`. Other text is returned unchanged.
 */
export function network(ip: string): string {
  if (isIP(ip) === 0) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  if (address.range() === 'loopback') return LOOPBACK;
  const bytes = address.toByteArray().fill(0, IPV6_PREFIX / 8);
  return `${ipaddr.fromByteArray(bytes)}/${IPV6_PREFIX}`;
}

/**
 * An address as a proxy writes it into a forwarding header: plain, or with a port as some load balancers add it.
 * @returns the address alone; undefined for all else
 */
export function readAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bracketed] = /^\[(.+)\](?::\d+)?$/.exec(trimmed) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(trimmed) ?? [];
  const address = bracketed ?? beforePort ?? trimmed;
  return isIP(address) === 0 ? undefined : address;
}

/** Whether the text is an address, or a network such as 10.0.0.0/8 or 2001:db8::/32. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const longest = { 4: 32, 6: 128 }[isIP(address)];
  if (longest === undefined || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
}

/**
 * Where a server of this name listens. A browser may look for `localhost` at any of its addresses, and a file of hosts may
 * name one of them twice; other names have one that is meant.
 */
export async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host];
  return [...new Set((await lookup(host, { all: true })).map(({ address }) => address))];
}
