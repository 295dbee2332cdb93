import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { OutboundError } from './outbound-error.ts';

type Resolve = (hostname: string) => Promise<readonly { readonly address: string }[]>;

/** Resolves a name to all its addresses; to none when there are none. @param owner who chose the name */
export type Lookup = (hostname: string, owner: string) => ReturnType<Resolve>;

/**
 * A `lookup` for `net.connect` that returns checked addresses only. The socket connects to exactly these, so a name
 * that changes between check and use gains nothing. Node does not call it for IP literals: check those before.
 */
export function guardedLookup(resolve: Resolve, isForbidden: (ip: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolveChecked(hostname, resolve, isForbidden).then(
      ([first, ...others]) => {
        if (options.all) callback(null, [first, ...others]);
        else callback(null, first.address, first.family);
      },
      (error: OutboundError) => callback(error, []),
    );
  };
}

async function resolveChecked(
  hostname: string,
  resolve: Resolve,
  isForbidden: (ip: string) => boolean,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const resolved = await resolve(hostname).catch((cause: unknown) => {
    throw new OutboundError('dns', 'The name cannot be resolved.', { cause });
  });
  const [first, ...others] = resolved.map(({ address }) => ({ address, family: isIP(address) }));
  if (!first) throw new OutboundError('dns', 'The name cannot be resolved.');
  // One forbidden address among public ones refuses the name: no honest service needs the mixture, and a rebinding
  // attack is made of it.
  if ([first, ...others].some(({ address }) => isForbidden(address))) {
    throw new OutboundError('refused_address', 'The name does not lead to a public host.');
  }
  return [first, ...others];
}
