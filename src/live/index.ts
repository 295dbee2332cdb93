export type { NewEvent, PlacedEvent } from './event.ts';
export { liveEvents } from './live.events.ts';
export { liveRoutes } from './live.routes.ts';
export { type LiveService, liveService } from './live.service.ts';
export { forgetPresence } from './presence.store.ts';
