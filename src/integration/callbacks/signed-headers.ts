import { Webhook } from 'standardwebhooks';

/** The keys that sign a call. */
export interface Signing {
  /** `whsec_…` keys, or secrets that are used as they are. Either verifies while one replaces the other. */
  readonly keys: readonly string[];
  readonly format?: 'raw';
}

/** The headers of a call as Standard Webhooks 1.0.0 has them, with a signature for each key. */
export function signedHeaders(
  { id, now, body }: { id: string; now: number; body: string },
  { keys, format }: Signing,
): Record<string, string> {
  const signatures = keys.map((key) => new Webhook(key, format && { format }).sign(id, new Date(now), body));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
