import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { CheckCheck } from 'lucide-react';
import { type RefObject, useCallback, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../../api/queries.ts';
import type { Membership } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { useTitle } from '../../design/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { TeamHead } from '../../teams/team-frame.tsx';
import { Composer } from '../compose/composer.tsx';
import { markTeamDone } from '../state/inbox.ts';
import type { Target } from '../state/outbox.ts';
import { markTeamRead, noteSeen, untilTold } from '../state/reading.ts';
import { FirstSteps } from './first-steps.tsx';
import styles from './frame.module.css';
import { JumpToDate } from './jump-to-date.tsx';
import { useStreamKeys } from './keys.ts';
import { LeftTeam } from './left-texts.tsx';
import { useMarking } from './marking.ts';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';
import { MuteButton } from './mute-button.tsx';
import { notePosted, OfferAfterPosting } from './notification-offer.tsx';
import { OpenedStreamBody, useOpenedStream } from './opened-stream.tsx';
import { useJoined } from './use-joined.ts';

/** A team's stream. */
export function TeamStream() {
  const { team: id } = useParams({ from: '/signed-in/teams/$team' });
  const { open, at, reply } = useSearch({ from: '/signed-in/teams/$team' });
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
          <MessagesFrame key={id} openId={open} replyId={reply} mover={mover}>
            <TeamMessages membership={membership} at={at} mover={mover} inviting={!open} />
          </MessagesFrame>
        );
      }}
    </Loaded>
  );
}

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
  const target: Target = { kind: 'team', id: team.id };
  const opened = useOpenedStream(filter, target, at);
  const { query, composer, stream, editLast } = opened;
  const joined = useJoined(team.id, query.data);
  const seen = useCallback((ids: readonly string[]) => noteSeen(team.id, ids), [team.id]);
  const streamed = useMemo(
    () => ({
      label: ofStream('label', { team: team.name }),
      beginning: ofStream('beginning', { team: team.name }),
      seen,
      joined,
    }),
    [ofStream, team.name, seen, joined],
  );
  const { told } = useMarking();
  const newest = query.data?.newer === null ? query.data.ids.at(-1) : undefined;
  const markRead = () => {
    if (team.unread_count > 0) told(t('marked', { team: team.name }), markTeamDone(team.id, newest));
  };
  useStreamKeys(team.name, stream, { Escape: { label: t('markRead'), run: markRead } });
  return (
    <>
      <TeamHead team={team}>
        {team.unread_count > 0 && (
          <Button small look="quiet" className={styles.late} aria-keyshortcuts="Escape" onClick={markRead}>
            <CheckCheck size={16} aria-hidden />
            <span className={styles.word}>{t('markRead')}</span>
            <kbd className={styles.key} aria-hidden>
              Esc
            </kbd>
          </Button>
        )}
        <JumpToDate team={team.id} />
        <MuteButton place={{ kind: 'team', id: team.id }} muted={membership.is_muted === 1} />
      </TeamHead>
      <OpenedStreamBody
        opened={opened}
        of={streamed}
        unread={team.unread_count}
        mover={mover}
        empty={<FirstSteps membership={membership} />}
      />
      <div className={styles.foot}>
        <OfferAfterPosting />
        <Composer
          target={target}
          draft={`team.${team.id}`}
          team={team.id}
          label={t('write', { team: team.name })}
          placeholder={t('write', { team: team.name })}
          handle={composer}
          inviting={inviting ? 'opened' : undefined}
          editLast={editLast}
          onEscape={(isEmpty) => {
            mover.current?.enter();
            if (isEmpty) markRead();
          }}
          onPosted={() => {
            notePosted();
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
