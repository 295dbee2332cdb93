import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Membership, Subject } from '../../api/types.ts';
import { IconButton } from '../../design/button.tsx';
import { useTitle } from '../../design/page.tsx';
import { Composer } from '../compose/composer.tsx';
import { AskedAt } from '../message/asked-at.tsx';
import { beginDraft } from '../state/drafts.ts';
import { useAnswersIn } from '../state/ephemeral.ts';
import { markTeamDone } from '../state/inbox.ts';
import { findMessage, useFromMessages } from '../state/messages.ts';
import type { Target } from '../state/outbox.ts';
import { markSubjectRead, markTeamRead, noteSeen, type Reading, untilTold } from '../state/reading.ts';
import { MOST_TOLD } from '../state/typing.ts';
import { useMessageView } from '../state/view-context.tsx';
import ofSubjects from '../subjects/subjects.module.css';
import { AnswersAloud } from './answers-aloud.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './frame.module.css';
import { useStreamKeys } from './keys.ts';
import { useMarking } from './marking.ts';
import type { Mover } from './mover.ts';
import { notePosted, OfferAfterPosting } from './notification-offer.tsx';
import { type OpenedStream, OpenedStreamBody, useOpenedStream } from './opened-stream.tsx';
import { Newcomer } from './people-here.tsx';
import { SubjectBar } from './subject-bar.tsx';
import { useJoined } from './use-joined.ts';
import { WhoTypes } from './who-types.tsx';

interface TeamMessagesProps {
  readonly membership: Membership;
  readonly place: Reading;
  /** The one that is shown alone, once it is known. */
  readonly subject: Subject | undefined;
  /** What the next message begins. */
  readonly next: string | undefined;
  readonly endNext: () => void;
  readonly at: string | undefined;
  readonly unread: number;
  /** Is given what marks the place as read. */
  readonly markRead: RefObject<(() => void) | undefined>;
  readonly mover: RefObject<Mover | null>;
  readonly inviting: boolean;
  /** `ready`: with a first message in the field; `new`: with who is here. */
  readonly hello: string | undefined;
}

/** The messages of a team, or those about a subject, and the field that writes there. */
export function TeamMessages(props: TeamMessagesProps) {
  const { membership, subject, next, endNext, at, unread, mover, inviting, hello } = props;
  const { team } = membership;
  const t = useTranslations('members.team');
  const about = useTranslations('members.subjects');
  const ofStream = useTranslations('members.stream');
  const shown = props.place.subject;
  const place = useMemo<Reading>(
    () => ({ team: team.id, ...(shown !== undefined && { subject: shown }) }),
    [team.id, shown],
  );
  const target = targetOf(team.id, next, subject);
  const opened = useOpenedStream(
    place,
    target,
    at,
    (one) => one.kind === 'team' && one.id === team.id && (shown === undefined || one.subject?.id === shown),
  );
  const { query, composer, stream, editLast } = opened;
  const draft = `team.${team.id}${shown === undefined ? '' : `.${shown}`}`;
  const answers = useAnswersIn(team.id);
  const joined = useJoined(team.id, shown === undefined ? query.data : undefined);
  const first = query.data?.ids[0];
  // A closed subject may be too old for the list of them.
  const ofMessages = useFromMessages(() => findMessage(first)?.subject);
  const name = shown === undefined ? undefined : (subject?.name ?? ofMessages ?? '…');
  useTitle(name === undefined ? team.name : `${name} · ${team.name}`);
  const seen = useCallback((ids: readonly string[]) => noteSeen(place, ids), [place]);
  const streamed = useMemo(
    () => ({
      label: name === undefined ? ofStream('label', { team: team.name }) : about('stream', { subject: name }),
      beginning:
        name === undefined
          ? ofStream('beginning', { team: team.name })
          : about('beginning', { subject: name }),
      titled: name === undefined,
      seen,
      joined,
      answers,
    }),
    [ofStream, about, seen, team.name, name, joined, answers],
  );
  const { told } = useMarking();
  const newest = query.data?.newer === null ? query.data.ids.at(-1) : undefined;
  const markRead = () => {
    if (unread === 0) return;
    if (shown === undefined) told(t('marked', { team: team.name }), markTeamDone(team.id, newest));
    else if (newest !== undefined) void untilTold(() => markSubjectRead(team.id, shown, newest));
  };
  useEffect(() => {
    props.markRead.current = markRead;
  });
  useStreamKeys(name ?? team.name, stream, { Escape: { label: t('markRead'), run: markRead } });
  useEffect(() => {
    if (next !== undefined) requestAnimationFrame(() => composer.current?.focus());
  }, [next, composer]);
  const { sayHello, endHello, isReady } = useHello({ place: draft, hello, composer });
  const written = next ?? name;
  const label =
    written === undefined ? t('write', { team: team.name }) : about('write', { subject: written });
  return (
    <>
      {subject && <SubjectBar team={team.id} subject={subject} />}
      <OpenedStreamBody
        opened={opened}
        of={streamed}
        unread={unread}
        mover={mover}
        empty={
          name === undefined ? (
            <FirstSteps membership={membership} sayHello={sayHello} isReady={isReady} />
          ) : (
            <div className={`${styles.scroll} ${styles.fill}`}>
              <p className={styles.beginning}>{about('empty', { subject: name })}</p>
            </div>
          )
        }
      />
      <AnswersAloud answers={answers} />
      <div className={styles.foot}>
        <OfferAfterPosting />
        {hello === 'new' && (query.data?.ids.length ?? 0) > 0 && (
          <Newcomer team={team} sayHello={sayHello} onClose={endHello} />
        )}
        {next !== undefined && (
          <p className={ofSubjects.next} role="status">
            <bdi>{about('about', { subject: next })}</bdi>
            <IconButton small label={about('without')} onClick={endNext}>
              <X size={16} aria-hidden />
            </IconButton>
          </p>
        )}
        <AskedAt place={team.id} leave={() => composer.current?.focus()} />
        <WhoTypes place={team.num_members > MOST_TOLD ? undefined : (shown ?? team.id)} />
        <Composer
          target={target}
          draft={draft}
          team={team.id}
          label={label}
          placeholder={label}
          handle={composer}
          inviting={inviting ? 'opened' : undefined}
          editLast={editLast}
          onEscape={(isEmpty) => {
            mover.current?.enter();
            if (isEmpty) markRead();
          }}
          onPosted={() => {
            notePosted();
            endHello();
            endNext();
            stream.current?.follow();
            // Who answers has read what stands above.
            if (newest === undefined || unread === 0) return;
            void untilTold(() =>
              shown === undefined ? markTeamRead(team.id, newest) : markSubjectRead(team.id, shown, newest),
            );
          }}
        />
      </div>
    </>
  );
}

/** A first message that is ready to be sent. @param of.place the name of the draft */
function useHello(of: { place: string; hello: string | undefined; composer: OpenedStream['composer'] }) {
  const { place, hello, composer } = of;
  const t = useTranslations('members.team');
  const { me } = useMessageView();
  const navigate = useNavigate();
  const [isReady, setReady] = useState(false);
  const endHello = () => {
    if (hello === undefined) return;
    void navigate({
      to: '.',
      search: ((now: object) => ({ ...now, hello: undefined })) as never,
      replace: true,
    });
  };
  const sayHello = () => {
    beginDraft(me.id, place, t('hello'));
    setReady(true);
    endHello();
    requestAnimationFrame(() => composer.current?.focus());
  };
  useEffect(() => {
    if (hello === 'ready') sayHello();
  });
  return { sayHello, endHello, isReady };
}

function targetOf(id: string, next: string | undefined, subject: Subject | undefined): Target {
  if (next !== undefined) return { kind: 'team', id, subject: { name: next } };
  return { kind: 'team', id, ...(subject && { subject: { id: subject.id, name: subject.name } }) };
}
