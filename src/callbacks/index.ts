export { type CallbackService, callbackService } from './callback.service.ts';
export { deliveryRoutes } from './delivery.routes.ts';
export { Delivery } from './delivery.schema.ts';
export { purgeDeliveries } from './purge.ts';
export { type PauseListener, queueService } from './queue.service.ts';
export { deliverySender } from './sender.ts';
export type { MemberChange, TeamUpdate } from './team-update.ts';
export { startWorker } from './worker.ts';
