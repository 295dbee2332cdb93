import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { CheckCheck, MessagesSquare } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery, queryClient } from '../../api/queries.ts';
import type { Membership, Team } from '../../api/types.ts';
import { TeamIcon } from '../../design/avatar.tsx';
import { IconButton } from '../../design/button.tsx';
import { NotFoundPage } from '../../design/not-found.tsx';
import { useTitle } from '../../design/page.tsx';
import { Empty, Loaded, Loading } from '../../design/states.tsx';
import { TeamTabs } from '../../teams/team-frame.tsx';
import { Composer, type ComposerHandle } from '../compose/composer.tsx';
import { listQuery, showAround, showNewest } from '../state/lists.ts';
import type { MessageList } from '../state/message-list.ts';
import { lastOwn } from '../state/messages.ts';
import { sameTarget, type Target, useUnsent } from '../state/outbox.ts';
import { markTeamRead } from '../state/reading.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './frame.module.css';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';
import { Stream, type StreamHandle } from './stream.tsx';

/** A team's stream. */
export function TeamStream() {
  const { team: id } = useParams({ from: '/signed-in/teams/$team' });
  const { open, at } = useSearch({ from: '/signed-in/teams/$team' });
  const memberships = useQuery(membershipsQuery);
  const mover = useRef<Mover>(null);
  return (
    <Loaded query={memberships}>
      {(all: Membership[]) => {
        const team = all.find((membership) => membership.team.id === id)?.team;
        if (!team) return <NotFoundPage />;
        return (
          <MessagesFrame key={id} openId={open} mover={mover}>
            <TeamMessages team={team} at={at} mover={mover} />
          </MessagesFrame>
        );
      }}
    </Loaded>
  );
}

/** A longer list, or one that does not reach the end, is dropped when the team is left. */
const KEPT = 500;

function TeamMessages(props: { team: Team; at: string | undefined; mover: React.RefObject<Mover | null> }) {
  const { team, at, mover } = props;
  const t = useTranslations('members.team');
  useTitle(team.name);
  const filter = { team: team.id };
  const query = useQuery(listQuery(filter));
  const { queryKey } = listQuery(filter);
  const arrived = useAround(team.id, at, query.data);
  const view = useMessageView();
  const composer = useRef<ComposerHandle>(null);
  const stream = useRef<StreamHandle>(null);
  const target: Target = { kind: 'team', id: team.id };
  const unsent = useUnsent((entry) => sameTarget(entry.target, target));
  const newest = query.data?.newer === null ? query.data.ids.at(-1) : undefined;
  useEffect(
    () => () => {
      const key = listQuery({ team: team.id }).queryKey;
      const list = queryClient.getQueryData(key);
      if (list && (list.newer !== null || list.ids.length > KEPT))
        queryClient.removeQueries({ queryKey: key });
    },
    [team.id],
  );
  const editLast = () => {
    const own = lastOwn(query.data, view.me);
    if (own !== undefined) view.setEditing(own);
  };
  return (
    <>
      <header className={styles.header}>
        <TeamIcon team={team} />
        <div className={styles.grow}>
          <h1>{team.name}</h1>
          <p className={styles.about}>{t('members', { count: team.num_members })}</p>
        </div>
        <IconButton
          label={t('markRead')}
          aria-disabled={!newest || team.unread_count === 0}
          onClick={() => newest && view.run({ id: newest }, () => markTeamRead(team.id, newest))}
        >
          <CheckCheck size={18} aria-hidden />
        </IconButton>
      </header>
      <TeamTabs team={team.id} />
      <div className={styles.body}>
        {query.data && arrived ? (
          query.data.ids.length + unsent.length === 0 ? (
            <div className={styles.scroll}>
              <Empty icon={MessagesSquare} title={t('emptyTitle')}>
                <p>{t('emptyText', { team: team.name })}</p>
              </Empty>
            </div>
          ) : (
            <Stream
              list={query.data}
              queryKey={queryKey}
              team={team}
              unsent={unsent}
              at={at}
              mover={mover}
              handle={stream}
              takeBack={(entry) => composer.current?.takeBack(entry)}
              showNewest={() => showNewest(filter)}
            />
          )
        ) : query.error ? (
          <Loaded query={query}>{() => null}</Loaded>
        ) : (
          <div className={styles.scroll}>
            <Loading rows={8} />
          </div>
        )}
      </div>
      <div className={styles.foot}>
        <Composer
          target={target}
          draft={`team.${team.id}`}
          label={t('write', { team: team.name })}
          placeholder={t('write', { team: team.name })}
          handle={composer}
          editLast={editLast}
          onPosted={() => stream.current?.follow()}
        />
      </div>
    </>
  );
}

/** @returns whether the message that the URL names has been loaded */
function useAround(team: string, at: string | undefined, list: MessageList | undefined): boolean {
  const [tried, setTried] = useState<string>();
  const there = at === undefined || (list?.ids.includes(at) ?? false);
  useEffect(() => {
    if (list === undefined || at === undefined || tried === at) return;
    // Scrolling on may unload it; the view must not jump back then.
    if (there) return setTried(at);
    // If it is deleted or of another team, the stream is shown without it.
    showAround({ team }, at).then(
      () => setTried(at),
      () => setTried(at),
    );
  }, [there, list, at, tried, team]);
  return there || tried === at;
}
