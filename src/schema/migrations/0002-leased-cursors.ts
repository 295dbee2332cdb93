import type { Migration } from '#platform/db/index.ts';

/** Finds the calls to a webhook that are under way, of which there are a few, without its cursors in all teams. */
export const leasedCursors: Migration = {
  name: '0002-leased-cursors',
  rolling: true,
  up: () => [
    'CREATE INDEX event_cursors_leased ON event_cursors (consumer_id, lease_until) WHERE lease_until > 0',
  ],
};
