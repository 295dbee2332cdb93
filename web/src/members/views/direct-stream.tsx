import { useQueries, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { readApplicationKey } from '../../api/application-key.ts';
import { meQuery, personQuery } from '../../api/queries.ts';
import type { DirectConversation, UserProfile, UserSummary } from '../../api/types.ts';
import { NotFoundPage } from '../../design/not-found.tsx';
import { Notice } from '../../design/notice.tsx';
import { nameOf } from '../../design/person.tsx';
import { Loaded, Loading } from '../../design/states.tsx';
import { WhereaboutsSign } from '../../design/whereabouts-sign.tsx';
import { useNameList } from '../../text/names.ts';
import { Faces, useNameOf } from '../message/people.tsx';
import { conversationQuery } from '../state/direct.ts';
import { peopleKey } from '../state/people-key.ts';
import { useOnline } from '../state/presence.ts';
import { useMessageView } from '../state/view-context.tsx';
import { ApplicationStream } from './application-stream.tsx';
import { DirectView } from './direct-view.tsx';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';
import { MuteButton } from './mute-button.tsx';
import type { BetweenProps } from './opened-stream.tsx';

/** All direct messages between the reader and the people whom the address names. */
export function DirectStream() {
  const { people } = useParams({ from: '/signed-in/direct/$people' });
  const { open, at, reply } = useSearch({ from: '/signed-in/direct/$people' });
  const { data: me } = useSuspenseQuery(meQuery);
  const mover = useRef<Mover>(null);
  const conversation = useQuery(conversationQuery(people));
  if (!me) return null;
  const key = peopleKey(people.split(','), me.id);
  if (key !== people) return <Navigate to="/direct/$people" params={{ people: key }} replace />;
  return (
    <Loaded query={conversation}>
      {(found: DirectConversation | null) => (
        <MessagesFrame key={people} openId={open} replyId={reply} mover={mover}>
          {readApplicationKey(people) ? (
            <ApplicationStream of={people} found={found} at={at} mover={mover} inviting={!open} />
          ) : (
            <Opened of={people} found={found} at={at} mover={mover} inviting={!open} />
          )}
        </MessagesFrame>
      )}
    </Loaded>
  );
}

type Someone = Pick<UserSummary, 'id' | 'first_name' | 'last_name' | 'online'> & Partial<UserSummary>;

/** Before the first message the server knows no conversation; its people have profiles. */
function Opened(props: BetweenProps & { found: DirectConversation | null }) {
  const { found, ...rest } = props;
  const ids = rest.of.split(',');
  const profiles = useQueries({ queries: ids.map((id) => ({ ...personQuery(id), enabled: !found })) });
  if (!found && profiles.some(({ isError }) => isError)) return <NotFoundPage />;
  const known = profiles.flatMap(({ data }) => (data ? [withImage(data)] : []));
  if (!found && known.length < ids.length) return <Loading rows={8} />;
  const closed = profiles.flatMap(({ data }) => (data?.active === false ? [data.id] : []));
  return (
    <Between
      {...rest}
      id={found?.id}
      users={found?.users ?? known}
      unreachable={found?.unreachable ?? closed}
      unread={found?.unread ?? 0}
    />
  );
}

const withImage = ({ image, ...profile }: UserProfile): Someone => ({ ...profile, images: [image] });

function Between(
  props: BetweenProps & {
    id: string | undefined;
    users: readonly Someone[];
    unreachable: readonly string[];
    unread: number;
  },
) {
  const { id, users, unreachable, unread, ...rest } = props;
  const { of: people } = rest;
  const t = useTranslations('members.direct');
  const view = useMessageView();
  const name = useNameOf(view.me.id)(users);
  const isNotes = people === view.me.id;
  return (
    <DirectView
      {...rest}
      name={name}
      icon={<Faces people={users} />}
      about={<About users={users} me={view.me.id} />}
      menu={id !== undefined && <MuteButton place={{ kind: 'conversation', id }} />}
      typingIn={isNotes ? undefined : id}
      target={{ kind: 'people', ids: people.split(','), emails: [] }}
      unread={unread}
      beginning={t(isNotes ? 'notesBeginning' : 'beginning', { name })}
      label={isNotes ? t('writeNote') : t('write', { name })}
      closed={
        unreachable.length > 0 && <Unreachable users={users} unreachable={unreachable} me={view.me.id} />
      }
    />
  );
}

/** The title and presence of a single person; links to the profiles of several. */
function About({ users, me }: { users: readonly Someone[]; me: string }) {
  const t = useTranslations('members.direct');
  const [first] = users;
  if (first && users.length === 1) return first.id === me ? t('onlyYou') : <AboutOne person={first} />;
  return users.map((person, at) => (
    <span key={person.id}>
      {at > 0 && ' · '}
      <Link to="/people/$user" params={{ user: person.id }}>
        {nameOf(person)}
      </Link>
    </span>
  ));
}

function AboutOne({ person }: { person: Someone }) {
  const t = useTranslations('members.direct');
  const common = useTranslations('common');
  const online = useOnline(person);
  return (
    <>
      <WhereaboutsSign person={person} told />
      {[online ? common('online') : undefined, person.title].filter(Boolean).map((text) => `${text} · `)}
      <Link to="/people/$user" params={{ user: person.id }}>
        {t('profile')}
      </Link>
    </>
  );
}

/** Stands in the place of the field: a message to all would be refused. */
function Unreachable(props: { users: readonly Someone[]; unreachable: readonly string[]; me: string }) {
  const { users, unreachable, me } = props;
  const t = useTranslations('members.direct');
  const list = useNameList();
  const gone = users.filter(({ id }) => unreachable.includes(id));
  const others = users.filter(({ id }) => !unreachable.includes(id)).map(({ id }) => id);
  return (
    <Notice>
      {t('unreachable', { names: list(gone.map(nameOf)), count: gone.length })}{' '}
      {others.length > 0 && (
        <Link to="/direct/$people" params={{ people: peopleKey(others, me) }}>
          {t('writeOthers')}
        </Link>
      )}
    </Notice>
  );
}
