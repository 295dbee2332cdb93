import { asUser, NotFound } from '#api';
import type { Database } from '#platform/db/index.ts';
import { gathering } from '#platform/gathering.ts';
import { findUser, type UserPresenter } from '../../people/users/index.ts';
import type { MessageFinder, MessageService, SidebarService } from '../messages/index.ts';
import type { EventKind, PlacedEvent, SentEvents } from './catalogue.ts';

/** Kinds whose stored data is not exactly what is sent: rows are read for them then. All others go out as they are stored. */
type ReadKind = {
  [K in EventKind]: [PlacedEvent<K>['data'], SentEvents[K]] extends [SentEvents[K], PlacedEvent<K>['data']]
    ? never
    : K;
}[EventKind];

type Describers = { [K in ReadKind]: (event: PlacedEvent<K>) => SentEvents[K] | Promise<SentEvents[K]> };

export type Describe = (event: PlacedEvent<EventKind>) => Promise<unknown>;

/**
 * Makes what clients are sent from what is stored. Rows are read when the event is sent. An event for one user is read as that
 * user sees it then, because access can have ended since.
 */
export function eventDescriber(deps: {
  db: Database;
  messages: MessageService;
  finder: MessageFinder;
  sidebars: SidebarService;
  users: UserPresenter;
  /** An installation as its team sees it. */
  installation: (id: string) => Promise<SentEvents['installation.updated']['installation']>;
}): Describe {
  const { db, messages, finder, sidebars, users } = deps;
  /** Many events are described at once: a read of fifty messages takes as long as three reads of one. */
  const told = gathering(messages.listForAll);

  /** Read once for all who get it: as their team sees it, or as its only receiver. */
  async function message(
    event: PlacedEvent<'message.created' | 'message.updated'>,
  ): Promise<SentEvents['message.created']> {
    const { data, audience } = event;
    if ('team' in audience) {
      const shown = await told(data.message);
      return { message: { ...(shown?.addressed_teams?.includes(audience.team) && shown), id: data.message } };
    }
    const shown = await messages.getForAll(data.message, asUser(audience.user));
    if (shown.sidebar === undefined) return { message: shown };
    const sidebar = await sidebars.getForAll(shown.sidebar, audience.user);
    return { message: shown, ...(sidebar && { beside: sidebar.message }) };
  }

  async function state({ data }: PlacedEvent<'message.state'>): Promise<SentEvents['message.state']> {
    try {
      return { message: await finder.get(db, asUser(data.viewer), data.message) };
    } catch (error) {
      if (error instanceof NotFound) return { message: { id: data.message } };
      throw error;
    }
  }

  const describers: Describers = {
    'message.created': message,
    'message.updated': message,
    'message.state': state,
    'sidebar.created': async ({ data, audience }) => ({
      sidebar: (await sidebars.getForAll(data.sidebar, audience.user)) ?? { id: data.sidebar },
    }),
    'user.updated': async ({ data }) => {
      const row = await findUser.first(db, { id: data.user });
      return { user: row ? { ...users.summary(row), image: users.image(row) } : { id: data.user } };
    },
    'installation.updated': async ({ data }) => ({
      installation: await deps.installation(data.installation),
    }),
  };

  const byKind: Partial<Record<EventKind, Describe>> = describers as Record<ReadKind, Describe>;
  return async (event) => {
    const read = byKind[event.kind];
    return read ? read(event) : event.data;
  };
}
