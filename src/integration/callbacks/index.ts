export { type CallbackService, callbackService, NOTICE_LIFETIME_MS } from './callback.service.ts';
export { type DeliveryLog, deliveryLog } from './delivery.log.ts';
export { deliveryRoutes } from './delivery.routes.ts';
export { Delivery } from './delivery.schema.ts';
export { personDeliveries, teamDeliveries } from './delivery.steps.ts';
export { deliveriesState, giveUpEvents } from './delivery.store.ts';
export { deliveryCleaning } from './purge.ts';
export {
  afterFailure,
  FAILING_BEFORE_PAUSE_MS,
  FAILURES_BEFORE_PAUSE,
  PAUSES_MS,
  type PauseListener,
  queueService,
} from './queue.service.ts';
export { BACKOFF_MS, deliverySender } from './sender.ts';
export { signedHeaders } from './signed-headers.ts';
export type { MemberChange, NameMembers, TeamUpdate } from './team-update.ts';
export { MAX_CHANGES } from './team-update.ts';
export { startWorker } from './worker.ts';
