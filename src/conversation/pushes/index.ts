export { forgetPushes, purgeShown, rewritePushes } from './forget.ts';
export { hostSlots } from './hosts.ts';
export { pushNoticed } from './noticed.ts';
export { pushRoutes } from './push.routes.ts';
export { type PushService, pushService } from './push.service.ts';
export { PushSettings } from './push.settings.ts';
export { pushesState } from './push.store.ts';
export {
  DEVICE_FORGOTTEN_MS,
  type FindReaction,
  PUSH_BACKOFF_MS,
  PUSH_LIFETIME_MS,
  pushSender,
} from './sender.ts';
export { pushSettingsPart } from './settings.export.ts';
export { forgetLevels, pushSettings } from './settings.service.ts';
export { deleteSettings } from './settings.store.ts';
export { MOST_DEVICES, subscriptionService } from './subscription.service.ts';
export { teamReaders } from './team-readers.ts';
export { vapidKeys } from './vapid.service.ts';
export { type FindNews, windowNotice } from './window-notice.ts';
export { startPushWorker } from './worker.ts';
