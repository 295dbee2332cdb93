import type { Tx } from '#platform/db/index.ts';
import type { EventSubscriptionRow } from '#schema';
import { findPlaceSince, listClicks } from '../../conversation/live/index.ts';
import type { InteractionService } from '../../conversation/messages/index.ts';
import type { Heard } from './log.reader.ts';

/** Clicks that one acknowledgement ends in a team. */
const ENDED_AT_ONCE = 500;

export type Clicks = Pick<InteractionService, 'end' | 'hurry' | 'unanswered' | 'unansweredTeams'>;

export const clicksIn = (events: readonly Heard[]): string[] =>
  events.flatMap(({ interaction }) => interaction ?? []);

const hearsClicks = ({ kinds_json }: EventSubscriptionRow): boolean =>
  (JSON.parse(kinds_json) as string[]).some(
    (kind) => kind === 'interaction' || kind === 'application.opened',
  );

/** An application has acknowledged the events of a team up to a place, and so the clicks among them. */
export async function acknowledgeClicks(
  tx: Tx,
  clicks: Clicks,
  subscription: EventSubscriptionRow,
  { teamId, place }: { teamId: string; place: number },
): Promise<void> {
  if (!hearsClicks(subscription)) return;
  const { application_id: applicationId, begins_at } = subscription;
  const waiting = await clicks.unanswered(tx, { applicationId, teamId, limit: ENDED_AT_ONCE });
  if (waiting[0] === undefined) return;
  const first = await findPlaceSince.first(tx, { time: waiting[0].created_at });
  if (first?.place == null) return;
  const told = await listClicks.all(tx, {
    ids: waiting.map(({ id }) => id),
    teamId,
    after: Math.max(Number(first.place) - 1, begins_at),
    upTo: place,
  });
  await clicks.end(
    tx,
    told.map(({ id }) => id),
  );
}
