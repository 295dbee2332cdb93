export { catalogue as eventCatalogue, MOST_WATCHED } from './catalogue.ts';
export { eventDescriber } from './describe.ts';
export { eraseEvents } from './event.step.ts';
export { findBounds } from './event.store.ts';
export { type LiveEvents, liveEvents, tellAccessEnd } from './live.events.ts';
export { liveRoutes } from './live.routes.ts';
export {
  BEAT_EVERY_MS,
  type LiveService,
  liveService,
  PRESENCE_GRACE_MS,
} from './live.service.ts';
export {
  findPlaceSince,
  listClicks,
  listEventsAt,
  listEventsOfTeam,
  listEventsOfTeams,
  listNews,
  listTeamsWithEvents,
} from './log.store.ts';
export { forgetPresence } from './presence.store.ts';
export { PRESENCE_LEASE_MS } from './presence.ts';
export { MOST_TYPING, TYPING_SHOWN_MS } from './typing.ts';
