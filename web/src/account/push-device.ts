import { queryOptions } from '@tanstack/react-query';
import { call, callOne } from '../api/client.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { PushDevice, PushKey } from '../api/types.ts';
import { workerHere } from '../api/worker.ts';
import { keepPreference, readPreference } from '../storage/preferences.ts';
import { letWindowsTell, windowsTell } from './window-notices.ts';

const DEVICES = '/v1/users/me/push_subscriptions';
/** Whose notifications this browser gets. */
const OWNER = 'push';

/** Why this browser gets notifications, or does not. */
export type PushState =
  /** The operator has switched them off. */
  | 'switched_off'
  /** The page was not reached by HTTPS. */
  | 'insecure'
  /** iPhones and iPads offer them to applications on the home screen alone. */
  | 'install'
  | 'unsupported'
  | 'blocked'
  | 'off'
  /** It has no push service within reach: its windows tell, while they are open. */
  | 'windows'
  | 'on';

export interface Device {
  readonly standing: PushState;
  readonly device?: PushDevice;
}

export const deviceQuery = queryOptions({
  queryKey: ['push', 'device'],
  queryFn: async (): Promise<Device> => {
    const { enabled } = await callOne<PushKey>('/v1/push');
    const worker = isSecureContext ? await workerHere() : undefined;
    if (!worker || !('Notification' in window)) {
      if (!enabled) return { standing: 'switched_off' };
      if (!isSecureContext) return { standing: 'insecure' };
      return { standing: /iPhone|iPad/.test(navigator.userAgent) ? 'install' : 'unsupported' };
    }
    if (Notification.permission === 'denied') return { standing: 'blocked' };
    const reader = queryClient.getQueryData(meQuery.queryKey)?.id;
    if (Notification.permission === 'granted' && windowsTell(reader)) return { standing: 'windows' };
    if (!enabled || !('PushManager' in window)) return { standing: 'off' };
    const subscription = await worker.pushManager.getSubscription();
    const { data } = await call<PushDevice>(DEVICES);
    const device = data.find(({ current }) => current);
    return subscription && device ? { standing: 'on', device } : { standing: 'off' };
  },
  staleTime: 0,
});

/**
 * Has this browser notify the reader: by its push service, or by its windows where there is none within reach. Asks for
 * permission, so it is called by a click alone.
 */
export async function subscribe(userId: string): Promise<void> {
  const permission = await Notification.requestPermission();
  const worker = await workerHere();
  if (permission !== 'granted' || !worker) return;
  if (!(await subscribeAt(worker, userId))) letWindowsTell(userId);
}

/** @returns whether there is a push service within reach */
async function subscribeAt(worker: ServiceWorkerRegistration, userId: string): Promise<boolean> {
  const { public_key: key } = await callOne<PushKey>('/v1/push');
  const subscription = key === null ? undefined : await subscribeTo(worker, key);
  if (!subscription) return false;
  await announce(subscription, userId);
  if (windowsTell(userId)) letWindowsTell(null);
  return true;
}

/** @returns undefined where the browser has no push service, or does not reach it */
async function subscribeTo(
  { pushManager }: ServiceWorkerRegistration,
  key: string,
): Promise<PushSubscription | undefined> {
  // One that was made with another key of the server cannot be renewed.
  await (await pushManager?.getSubscription())?.unsubscribe();
  try {
    return await pushManager?.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (error) {
    // Push API, W3C, §7.2.3: the push service cannot be reached, or there is none.
    if (error instanceof DOMException && ['AbortError', 'NotSupportedError'].includes(error.name)) return;
    throw error;
  }
}

async function announce(subscription: PushSubscription, userId: string): Promise<void> {
  await call(DEVICES, { method: 'POST', body: subscription.toJSON() });
  keepPreference(OWNER, userId);
}

export async function unsubscribe(device: PushDevice | undefined): Promise<void> {
  letWindowsTell(null);
  const worker = await workerHere();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  if (device) await call(`${DEVICES}/${device.id}`, { method: 'DELETE' });
}

export const sendTest = ({ id }: PushDevice) => call(`${DEVICES}/${id}/test`, { method: 'POST' });

/**
 * After signing in again: the same reader gets notifications as before, another one has to ask for them. A push service
 * that was out of reach may be within it by now.
 */
export async function renewDevice(userId: string): Promise<void> {
  try {
    if (!('Notification' in window) || Notification.permission !== 'granted') return;
    const worker = await workerHere();
    const subscription = await worker?.pushManager?.getSubscription();
    if (worker && windowsTell(userId)) await subscribeAt(worker, userId);
    else if (!subscription) return;
    else if (readPreference(OWNER) === userId) await announce(subscription, userId);
    else await subscription.unsubscribe();
  } catch {
    // It is tried again when the application is opened the next time.
  }
}
