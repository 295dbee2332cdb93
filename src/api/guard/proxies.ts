import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { readAddress } from '#platform/network.ts';
import type { Config } from '../../process/config.ts';

/**
 * Rewrites X-Forwarded-For before it is read, so that each entry is an address. Fastify walks the list from its end,
 * past the trusted proxies. Everything before an entry that is not an address was written by a client and is dropped.
 */
export function readForwardedAddresses(app: FastifyInstance): void {
  app.server.prependListener('request', ({ headers }: IncomingMessage) => {
    const given = headers['x-forwarded-for'];
    if (given === undefined) return;
    const entries = [given].flat().join(',').split(',').map(readAddress);
    const addresses = entries.slice(entries.lastIndexOf(undefined) + 1);
    if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ');
    else delete headers['x-forwarded-for'];
  });
}

/**
 * The predicate that Fastify applies to each address, starting with the peer's. It does not accept a bare number of
 * hops.
 */
export function trustedProxies(proxies: Config['TRUST_PROXY']) {
  if (proxies === 'no') return false;
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies];
}
