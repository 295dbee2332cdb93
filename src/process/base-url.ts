import { networkInterfaces } from 'node:os';
import { isLoopbackHost } from '#platform/outbound/index.ts';
import type { Config } from './config.ts';

const ALL_INTERFACES = new Set(['0.0.0.0', '::', '']);

/**
 * The address with which links begin. Where other machines reach the server and BASE_URL does not say how, it is an address of
 * this machine: `localhost` would lead each reader to their own.
 * @param port where it listens, if PORT leaves that open
 */
export function baseUrlOf(
  { BASE_URL, HOST, PORT }: Pick<Config, 'BASE_URL' | 'HOST' | 'PORT'>,
  port = PORT,
): string {
  if (BASE_URL !== undefined) return BASE_URL.replace(/\/$/, '');
  const host = isLoopbackHost(HOST) ? 'localhost' : ALL_INTERFACES.has(HOST) ? ownAddress() : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The first address that other machines may reach; of version 4, if there is one, as people can type it. */
function ownAddress(): string {
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(?:169\.254\.|fe80:)/i.test(address));
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address ?? 'localhost';
}
