import { Conflict, NotFound, onlookerOf, type Page, timestamp, type Viewer } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { MessageRow } from '#schema';
import { findSummaries, type UserPresenter, withoutAddresses } from '../../../people/users/index.ts';
import { lockTeam } from '../../../teams/index.ts';
import { accessTeam } from '../lists/team.access.ts';
import { accessMessage, refuseDeleted } from '../view/message.access.ts';
import type { MessageListener } from '../view/message.listener.ts';
import { type MessagePresenter, showsAddresses } from '../view/message.present.ts';
import { notedPage } from '../view/noted-page.ts';
import type { PagePace } from '../view/page-pace.ts';
import { lockMessage } from '../view/view.store.ts';
import type { PinnedMessage } from './pin.schema.ts';
import { countPins, deletePin, insertPin, pageOfPins, setPinned } from './pin.store.ts';

/** Messages that one team has pinned. */
export const MOST_PINS = 100;

export type PinService = ReturnType<typeof pinService>;

/** Messages that a team has pinned. All who may write in the team may pin and unpin what all of it read. */
export function pinService(deps: {
  db: Database;
  clock: Clock;
  present: MessagePresenter;
  users: UserPresenter;
  publish: MessageListener;
  pace: PagePace;
}) {
  const { db, clock, present, users, publish, pace } = deps;
  const bare = withoutAddresses(users);

  /**
   * @throws NotFound
   * @throws Conflict for a message that not all of the team read, for a deleted one, and for one pin too many
   */
  async function pin(tx: Tx, viewer: Viewer, team: string, id: string): Promise<void> {
    const row = await lock(tx, viewer, team, id);
    refuseDeleted(row);
    if (row.is_pinned === 1) return;
    const { team_id, id: message_id } = row;
    if (Number((await countPins.first(tx, { teamId: team_id }))?.pins) >= MOST_PINS)
      throw new Conflict('too_many_pins', `The team has pinned ${MOST_PINS} messages: unpin one first`);
    await insertPin.run(tx, { team_id, message_id, user_id: viewer.userId, pinned_at: clock() });
    await tell(tx, row, viewer, true);
  }

  /** @throws NotFound @throws Conflict for a message that not all of the team read */
  async function unpin(tx: Tx, viewer: Viewer, team: string, id: string): Promise<void> {
    const row = await lock(tx, viewer, team, id);
    if (row.is_pinned === 0) return;
    await deletePin.run(tx, { teamId: row.team_id, messageId: row.id });
    await tell(tx, row, viewer, false);
  }

  async function tell(tx: Tx, row: MessageRow, { userId }: Viewer, isPinned: boolean): Promise<void> {
    const is_pinned = isPinned ? 1 : 0;
    await setPinned.run(tx, { id: row.id, isPinned: is_pinned });
    await publish(tx, { kind: 'pinned', message: { ...row, is_pinned }, userId, isPinned });
  }

  /** The newest pins first. */
  async function list(viewer: Viewer, team: string, page: Page) {
    const reader = await db.forLists();
    const teamId = await accessTeam(reader, viewer, team);
    const { shown, next } = await notedPage(reader, viewer, page, {
      find: (place) => pageOfPins.all(reader, { teamId, ...place }),
      at: ({ pinned_at }) => pinned_at,
      ...{ present, pace },
    });
    const ids = [...new Set(shown.map(({ row }) => row.user_id))];
    const people = new Map(
      (await findSummaries(reader, onlookerOf(viewer), ids)).map((row) => [row.id, row]),
    );
    const { summary } = showsAddresses(viewer) ? users : bare;
    const pins = shown.flatMap(({ message, row }): PinnedMessage[] => {
      const user = people.get(row.user_id);
      return user ? [{ message, user: summary(user), pinned_at: timestamp(row.pinned_at) }] : [];
    });
    return { pins, next };
  }

  return { pin, unpin, list };
}

/** The team is locked before its message, as by all that locks both: the pins of a team are counted. */
async function lock(
  tx: Tx,
  viewer: Viewer,
  team: string,
  id: string,
): Promise<MessageRow & { team_id: string }> {
  const teamId = await accessTeam(tx, viewer, team);
  const seen = await accessMessage(tx, viewer, id);
  if (seen.team_id !== teamId || seen.sidebar_id !== null)
    throw new Conflict('not_of_team', 'Only what all members of this team read can be pinned there');
  if (!(await lockTeam.first(tx, { id: teamId }))) throw new NotFound();
  return { ...((await lockMessage.first(tx, { id: seen.id })) ?? seen), team_id: teamId };
}
