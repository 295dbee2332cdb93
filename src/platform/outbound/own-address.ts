import { networkInterfaces } from 'node:os';
import { isLoopbackAddress } from './address-policy.ts';

/** The addresses of this server. */
export interface OwnAddress {
  /** The port it listens on. */
  readonly port: number;
  /** The server's public address. */
  readonly url: string;
}

/** Whether a host (name or address) and port lead to this server, so that the call would be to itself. */
export function isOwnAddress(host: string, port: number, own: OwnAddress): boolean {
  const url = new URL(own.url);
  if (withoutDot(host) === url.hostname && port === portOf(url)) return true;
  return port === own.port && isOfThisMachine(host);
}

/** The port that an address names or implies. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** A name with a dot at its end is the same name. */
const withoutDot = (host: string) => host.replace(/(?<!\.)\.+$/, '');

function isOfThisMachine(ip: string): boolean {
  if (isLoopbackAddress(ip)) return true;
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === ip),
  );
}
