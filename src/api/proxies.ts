import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { readAddress } from '#platform/network.ts';
import type { Config } from '../process/config.ts';

/**
 * Puts X-Forwarded-For into the form that Fastify reads, before anything reads it: each entry an address. Fastify walks
 * the list from its end, past the proxies that are trusted. What stands before an entry that is no address was written
 * by a client, and goes.
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

/** What Fastify asks of each address, the peer's first. It takes no bare number of hops. */
export function trustedProxies(proxies: Config['TRUST_PROXY']) {
  if (proxies === 'no') return false;
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies];
}
