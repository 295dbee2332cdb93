import { Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../ids.ts';
import { Turns } from '../jobs/index.ts';
import { isLoopbackHost } from './address-policy.ts';
import type { Lookup } from './guarded-lookup.ts';
import { HOSTS_FILE, hostsFile } from './hosts-file.ts';

/** Look-ups under way at once: of all, and for the addresses of one owner. */
export const LOOKUPS = { atOnce: 256, ofSource: 4 };
export const FAILURE_KEPT_MS = 60_000;
/** An answer's own time is not known to be longer. */
export const ANSWER_KEPT_MS = 5000;
const MOST_NAMES = 5000;
/** Connecting tries no more of them. */
const MOST_ADDRESSES = 32;
const TRIES = 2;

type Addresses = readonly string[];

/**
 * Resolves names that users chose, by the name servers themselves: the system's resolver takes a thread for each look-up,
 * of which there are few, so that names that are never answered would stop all other look-ups. A name that could not be
 * resolved is not asked for again for a while.
 * @param deps.servers addresses with or without a port; those of the system if undefined
 * @param deps.patienceMs how long a look-up may take
 */
export function nameResolver(deps: {
  servers: readonly string[] | undefined;
  patienceMs: number;
  clock: Clock;
  hostsFile?: string;
}): Lookup {
  const { servers, patienceMs, clock } = deps;
  const inHostsFile = hostsFile(deps.hostsFile ?? HOSTS_FILE);
  const turns = new Turns(LOOKUPS);
  const known = new LRUCache<string, Addresses>({
    max: MOST_NAMES,
    ttl: ANSWER_KEPT_MS,
    ttlResolution: 0,
    perf: { now: clock },
  });
  const underWay = new Map<string, Promise<Addresses>>();

  return async (hostname, owner) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const addresses = (await inHostsFile(name)) ?? ownOf(name) ?? known.get(name);
    // Only look-ups that have begun are shared: one that waits for its owner's turn delays nobody else's.
    const found = addresses ?? (await turns.run(owner, async () => known.get(name) ?? shared(name)));
    return found.map((address) => ({ address }));
  };

  function shared(name: string): Promise<Addresses> {
    const same = underWay.get(name);
    if (same) return same;
    const asked = ask(name)
      .then((addresses) => {
        known.set(name, addresses, { ttl: addresses.length > 0 ? ANSWER_KEPT_MS : FAILURE_KEPT_MS });
        return addresses;
      })
      .finally(() => underWay.delete(name));
    underWay.set(name, asked);
    return asked;
  }

  /** A resolver for each look-up reads the system's servers anew, and sends from ports of its own. */
  async function ask(name: string): Promise<Addresses> {
    // The second attempt waits twice as long as the first.
    const resolver = new Resolver({ timeout: Math.ceil(patienceMs / 3), tries: TRIES });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), patienceMs);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    clearTimeout(timer);
    return answers
      .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      .slice(0, MOST_ADDRESSES);
  }
}

/** RFC 6761 §6.3: no name server is asked for `localhost`, nor for a name below it. */
const ownOf = (name: string): Addresses | undefined =>
  isLoopbackHost(name) ? ['127.0.0.1', '::1'] : undefined;
