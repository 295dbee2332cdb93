import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { CheckCheck } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery, queryClient } from '../../api/queries.ts';
import type { Membership } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { useTitle } from '../../design/page.tsx';
import { Loaded, Loading } from '../../design/states.tsx';
import { TeamHead } from '../../teams/team-frame.tsx';
import { Composer, type ComposerHandle } from '../compose/composer.tsx';
import { listQuery, showNewest } from '../state/lists.ts';
import { lastOwn } from '../state/messages.ts';
import { sameTarget, type Target, useUnsent } from '../state/outbox.ts';
import { markTeamRead, noteSeen, untilTold } from '../state/reading.ts';
import { useMessageView } from '../state/view-context.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './frame.module.css';
import { useStreamKeys } from './keys.ts';
import { LeftTeam } from './left-texts.tsx';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover, StreamHandle } from './mover.ts';
import { MuteButton } from './mute-button.tsx';
import { Stream } from './stream.tsx';
import { useAround } from './use-around.ts';

/** A team's stream. */
export function TeamStream() {
  const { team: id } = useParams({ from: '/signed-in/teams/$team' });
  const { open, at } = useSearch({ from: '/signed-in/teams/$team' });
  const memberships = useQuery(membershipsQuery);
  const mover = useRef<Mover>(null);
  const shown = useRef<string>(undefined);
  return (
    <Loaded query={memberships}>
      {(all: Membership[]) => {
        const membership = all.find(({ team }) => team.id === id);
        if (!membership) return <LeftTeam team={id} known={shown.current === id} />;
        shown.current = id;
        return (
          <MessagesFrame key={id} openId={open} mover={mover}>
            <TeamMessages membership={membership} at={at} mover={mover} inviting={!open && !at} />
          </MessagesFrame>
        );
      }}
    </Loaded>
  );
}

/** A longer list, or one that does not reach the end, is dropped when the team is left. */
const KEPT = 500;

interface TeamMessagesProps {
  readonly membership: Membership;
  readonly at: string | undefined;
  readonly mover: RefObject<Mover | null>;
  /** Whether nothing else in the view takes the focus. */
  readonly inviting: boolean;
}

function TeamMessages({ membership, at, mover, inviting }: TeamMessagesProps) {
  const { team } = membership;
  const t = useTranslations('members.team');
  const ofStream = useTranslations('members.stream');
  useTitle(team.name);
  const filter = useMemo(() => ({ team: team.id }), [team.id]);
  const query = useQuery(listQuery(filter));
  const { queryKey } = listQuery(filter);
  const arrived = useAround(filter, at, query.data);
  const streamed = useMemo(
    () => ({
      label: ofStream('label', { team: team.name }),
      beginning: ofStream('beginning', { team: team.name }),
      seen: (ids: readonly string[]) => noteSeen(team.id, ids),
    }),
    [ofStream, team.id, team.name],
  );
  const view = useMessageView();
  const composer = useRef<ComposerHandle>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const stream = useRef<StreamHandle>(null);
  const target: Target = { kind: 'team', id: team.id };
  const unsent = useUnsent((entry) => sameTarget(entry.target, target));
  const newest = query.data?.newer === null ? query.data.ids.at(-1) : undefined;
  const markRead = () => {
    if (team.unread_count > 0) view.run({ id: newest ?? team.id }, () => markTeamRead(team.id, newest));
  };
  useStreamKeys(team.name, stream, { Escape: { label: t('markRead'), run: markRead } });
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
      <TeamHead team={team} heading={heading}>
        {team.unread_count > 0 && (
          <Button
            small
            look="quiet"
            className={styles.late}
            aria-keyshortcuts="Escape"
            onClick={() => {
              markRead();
              heading.current?.focus();
            }}
          >
            <CheckCheck size={16} aria-hidden />
            <span className={styles.word}>{t('markRead')}</span>
            <kbd className={styles.key} aria-hidden>
              Esc
            </kbd>
          </Button>
        )}
        <MuteButton place={{ kind: 'team', id: team.id }} muted={membership.is_muted === 1} />
      </TeamHead>
      <div className={styles.body}>
        {query.data && arrived ? (
          query.data.ids.length + unsent.length === 0 ? (
            <FirstSteps membership={membership} />
          ) : (
            <Stream
              list={query.data}
              queryKey={queryKey}
              of={streamed}
              unread={team.unread_count}
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
          team={team.id}
          label={t('write', { team: team.name })}
          placeholder={t('write', { team: team.name })}
          handle={composer}
          inviting={inviting}
          editLast={editLast}
          onEscape={markRead}
          onPosted={() => {
            stream.current?.follow();
            // Who answers has read what stands above.
            if (newest !== undefined && team.unread_count > 0)
              void untilTold(() => markTeamRead(team.id, newest));
          }}
        />
      </div>
    </>
  );
}
