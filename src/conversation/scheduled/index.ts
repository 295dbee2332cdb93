export { scheduledPart } from './scheduled.export.ts';
export { scheduledRoutes } from './scheduled.routes.ts';
export {
  LONGEST_REMINDER,
  MOST_OF_APPLICATION,
  MOST_UNSENT,
  Reminder,
  ScheduledMessage,
  WallTime,
} from './scheduled.schema.ts';
export { FILES_WAIT_MS, SPAN_MS, scheduledService, type TellScheduled } from './scheduled.service.ts';
export { deleteScheduledOf, scheduledQueue } from './scheduled.store.ts';
export { LATE_MS, SENT_KEPT_MS, scheduledSender } from './sender.ts';
export { sending } from './sending.ts';
