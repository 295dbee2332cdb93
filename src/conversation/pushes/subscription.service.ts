import { Conflict, InvalidFields, lookUp, NotAllowed, NotAuthorized } from '#api';
import { type Cipher, hashToken } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { checkUrl } from '#platform/outbound/index.ts';
import type { PushSubscriptionRow } from '#schema';
import { lockUser } from '../../people/users/index.ts';
import { readReceiverKeys } from './protocol/encryption.ts';
import {
  deleteSubscription,
  deleteSubscriptions,
  findByEndpoint,
  insertSubscription,
  listSubscriptions,
  lockSession,
  renewSubscription,
} from './subscription.store.ts';

/** Devices of one account. */
export const MOST_DEVICES = 20;

/** The endpoint and the keys of a push subscription (RFC 8291), stored encrypted. */
export interface DeviceSecret {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

interface Device {
  readonly userId: string;
  readonly sessionId: string;
  readonly userAgent: string;
}

export type SubscriptionService = ReturnType<typeof subscriptionService>;

/** The devices of people that get pushes. A device ends with its session. */
export function subscriptionService(deps: {
  clock: Clock;
  cipher: Cipher;
  enabled: boolean;
  /** Whether a push service may live on this machine. */
  allowLoopback: boolean;
}) {
  const { clock, cipher, enabled, allowLoopback } = deps;

  /**
   * Adds a device. A device of another account moves to this one: both have signed in at the same browser.
   * @throws InvalidFields for an endpoint that must not be called, or for malformed keys
   * @throws Conflict when the endpoint is known with other keys @throws NotAuthorized when the session has ended meanwhile
   */
  async function add(tx: Tx, device: Device, secret: DeviceSecret): Promise<PushSubscriptionRow> {
    if (!enabled) throw new NotAllowed('push_off', 'This server pushes no notifications');
    check(secret);
    const hash = hashToken(secret.endpoint);
    // Serializes the additions of an account, so that the limit counts them all.
    await lockUser.first(tx, { id: device.userId });
    if (!(await lockSession.first(tx, { id: device.sessionId }))) throw new NotAuthorized();
    const known = await findByEndpoint.first(tx, { hash });
    // The keys prove that the caller has the subscription: an endpoint alone may have leaked.
    if (known && secretOf(cipher, known).auth !== secret.auth) {
      throw new Conflict('subscription', 'This endpoint is known with other keys');
    }
    if (known?.user_id === device.userId) return renew(tx, known, device, secret);
    if (known) await deleteSubscription.run(tx, { id: known.id, userId: known.user_id });
    const row: PushSubscriptionRow = {
      id: newId(),
      user_id: device.userId,
      session_id: device.sessionId,
      endpoint_hash: hash,
      secret_ciphertext: cipher.encrypt(JSON.stringify(secret)),
      user_agent: device.userAgent,
      // The lane of slow push services, until this one has answered.
      lane: 1,
      num_failures: 0,
      failing_since: null,
      not_before: 0,
      told_at: null,
      created_at: clock(),
    };
    // Another account has added the endpoint at the same moment.
    if (!(await insertSubscription.first(tx, row))) return add(tx, device, secret);
    await dropOldest(tx, device.userId);
    return row;
  }

  async function renew(tx: Tx, known: PushSubscriptionRow, device: Device, secret: DeviceSecret) {
    const row = {
      ...known,
      session_id: device.sessionId,
      user_agent: device.userAgent,
      secret_ciphertext: cipher.encrypt(JSON.stringify(secret)),
    };
    await renewSubscription.run(tx, row);
    return row;
  }

  async function dropOldest(tx: Tx, userId: string): Promise<void> {
    const rows = await listSubscriptions.all(tx, { userId });
    const ids = rows.slice(MOST_DEVICES).map(({ id }) => id);
    if (ids.length > 0) await deleteSubscriptions.run(tx, { ids });
  }

  function check({ endpoint, p256dh, auth }: DeviceSecret): void {
    const checked = checkUrl(endpoint, { allowLoopback });
    if (!checked.ok) throw new InvalidFields({ field: 'endpoint', message: checked.detail });
    if (readReceiverKeys({ p256dh, auth })) return;
    throw new InvalidFields({
      field: 'keys',
      message: 'must have p256dh, a point of P-256 (65 bytes), and auth (16 bytes), in URL-safe base64',
    });
  }

  /** @throws NotFound when it is not a device of this user */
  const remove = (tx: Tx, userId: string, id: string) =>
    lookUp(id, (known) => deleteSubscription.first(tx, { id: known, userId }));

  return { add, remove };
}

export function secretOf(cipher: Cipher, row: Pick<PushSubscriptionRow, 'secret_ciphertext'>): DeviceSecret {
  return JSON.parse(cipher.decrypt(row.secret_ciphertext)) as DeviceSecret;
}
