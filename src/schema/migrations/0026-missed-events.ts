import type { Migration } from '#platform/db/index.ts';

/** A stream that resumes reads its own events, rather than everybody's since its cursor. */
export const missedEvents: Migration = {
  name: '0026-missed-events',
  rolling: true,
  up: () => [
    "CREATE INDEX events_of_users ON events (audience_id, place) WHERE audience = 'user'",
    "CREATE INDEX events_of_connections ON events (place) WHERE audience = 'connectionsOf'",
  ],
};
