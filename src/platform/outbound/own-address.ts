import { networkInterfaces } from 'node:os';
import { isLoopbackAddress } from './address-policy.ts';

/** Where this server itself is reached. */
export interface OwnAddress {
  /** The port that it listens on. */
  readonly port: number;
  /** The address under which people reach it. */
  readonly url: string;
}

/** Whether a host, a name or an address, leads to this server with that port, so that a call would be its own. */
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
const withoutDot = (host: string) => host.replace(/\.+$/, '');

function isOfThisMachine(ip: string): boolean {
  if (isLoopbackAddress(ip)) return true;
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === ip),
  );
}
