export { type CallbackService, callbackService } from './callback.service.ts';
export { deliveryRoutes } from './delivery.routes.ts';
export { Delivery } from './delivery.schema.ts';
export { purgeDeliveries } from './purge.ts';
export { deliverySender } from './sender.ts';
export { startWorker } from './worker.ts';
