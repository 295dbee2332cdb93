import { memo } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { EphemeralAnswer } from '../../api/types.ts';
import { nameOf } from '../../design/person.tsx';
import { useToday } from '../../design/time.tsx';
import { AnswerInTeam } from '../message/ephemeral-answers.tsx';
import { MessageBody } from '../message/message-body.tsx';
import { UnsentMessage } from '../message/unsent-message.tsx';
import type { JoinedPeople } from '../state/joined.ts';
import { goesOn } from '../state/message-list.ts';
import { findMessage, useFromMessages } from '../state/messages.ts';
import type { Unsent } from '../state/outbox.ts';
import { useMessageView } from '../state/view-context.tsx';
import { SubjectTitle } from '../subjects/subject-title.tsx';
import styles from './frame.module.css';
import { JoinedNote } from './joined-note.tsx';
import { opensMessage } from './keys.ts';
import type { InFeed } from './virtual-feed.tsx';

export type Row =
  | {
      /** The message's id. */
      readonly key: string;
      /** The message above it. */
      readonly before: string | undefined;
      /** The first unread message when the stream was opened. */
      readonly isNew: boolean;
      /** Who joined the team between the message above and this one. */
      readonly joined?: JoinedPeople | undefined;
    }
  | { readonly key: string; readonly entry: Unsent; readonly grouped: boolean }
  /** What an application has told the reader alone. */
  | { readonly key: string; readonly answer: EphemeralAnswer };

/** Whether it stands without a header, below a message of the same author. */
export function isContinued(row: Row): boolean {
  if ('entry' in row) return row.grouped;
  if ('answer' in row) return false;
  const message = findMessage(row.key);
  if (message === undefined || row.isNew || row.joined || startsDay(row) || changesSubject(row)) return false;
  return goesOn(message, findMessage(row.before));
}

/** Whether it is about something else than the message above it. */
function changesSubject(row: Row): boolean {
  const above = 'before' in row ? findMessage(row.before) : undefined;
  return findMessage(row.key)?.subject_id !== above?.subject_id;
}

function startsDay(row: Row): boolean {
  const message = findMessage(row.key);
  const above = 'before' in row ? findMessage(row.before) : undefined;
  return !message || !above || !sameDay(above.created_at, message.created_at);
}

let day = { from: 0, to: 0 };

/** Whether two times, in seconds, are on the same local day. The day is cached: thousands are compared in a row. */
function sameDay(one: number, other: number): boolean {
  if (one < day.from || one >= day.to) day = dayOf(one);
  return other >= day.from && other < day.to;
}

function dayOf(time: number): { from: number; to: number } {
  const from = new Date(time * 1000);
  from.setHours(0, 0, 0, 0);
  const to = new Date(from);
  to.setDate(to.getDate() + 1);
  return { from: from.getTime() / 1000, to: to.getTime() / 1000 };
}

export const StreamRow = memo(function StreamRow(
  props: InFeed & {
    row: Row;
    /** Stands above it where the stream begins. */
    beginning: string | undefined;
    /** Who joined after the last message. */
    joinedSince: JoinedPeople | undefined;
    /** Whether a run of messages about the same stands under its name. */
    titled: boolean;
    /** The URL names it. */
    marked: boolean;
    takeBack: (entry: Unsent) => void;
  },
) {
  const { row, beginning, joinedSince, titled, focusable, marked, position, size, setActive, takeBack } =
    props;
  const t = useTranslations('members.stream');
  const view = useMessageView();
  const isNew = 'isNew' in row && row.isNew;
  const joined = 'joined' in row ? row.joined : undefined;
  const message = useFromMessages(() => findMessage(row.key));
  const grouped = useFromMessages(() => isContinued(row));
  const begins = useFromMessages(() => titled && changesSubject(row));
  return (
    <>
      {beginning && <p className={styles.beginning}>{beginning}</p>}
      {message && startsDay(row) && <Day at={message.created_at} isNew={isNew && !joined} />}
      {joined && <JoinedNote group={joined} />}
      {isNew && !(startsDay(row) && !joined) && (
        <div className={`${styles.day} ${styles.newLine}`}>{t('new')}</div>
      )}
      <article
        className={[
          styles.article,
          !grouped && styles.begins,
          marked && styles.marked,
          titled && message?.subject_id && styles.about,
        ]
          .filter(Boolean)
          .join(' ')}
        {...(message && { 'data-message': row.key, 'aria-label': nameOf(message.author) })}
        tabIndex={focusable ? 0 : -1}
        aria-current={marked || undefined}
        aria-posinset={position}
        aria-setsize={size}
        onFocus={() => setActive(row.key)}
        onKeyDown={(event) => message && opensMessage(event) && view.open(message)}
      >
        {begins && message && <SubjectTitle message={message} />}
        {message && <MessageBody message={message} grouped={grouped} folds />}
        {'entry' in row && <UnsentMessage entry={row.entry} grouped={grouped} edit={takeBack} />}
        {'answer' in row && (
          <div className={styles.answer}>
            <AnswerInTeam answer={row.answer} />
          </div>
        )}
      </article>
      {joinedSince && <JoinedNote group={joinedSince} />}
    </>
  );
});

/** @param props.isNew whether the first unread message follows */
function Day(props: { at: number; isAtTop?: boolean; isNew?: boolean }) {
  const { at, isAtTop = false, isNew = false } = props;
  const format = useFormatter();
  const t = useTranslations('members.stream');
  const date = new Date(at * 1000);
  const today = useToday();
  const yesterday = new Date(today);
  yesterday.setDate(yesterday.getDate() - 1);
  const name = sameDay(at, today / 1000)
    ? t('today')
    : sameDay(at, yesterday.getTime() / 1000)
      ? t('yesterday')
      : format.dateTime(date, {
          weekday: 'long',
          day: 'numeric',
          month: 'long',
          ...(date.getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
        });
  return (
    <div
      className={[styles.day, isAtTop && styles.atTop, isNew && styles.newDay].filter(Boolean).join(' ')}
      aria-hidden={isAtTop || undefined}
    >
      <span>{name}</span>
      {isNew && <strong>{t('new')}</strong>}
    </div>
  );
}

/** The day of the first message in view, where its own line is above; it goes by itself. @param props.row the first one */
export function DayAtTop({ row }: { row: Row | undefined }) {
  const at = useFromMessages(() => {
    const message = findMessage(row?.key);
    return row && message && !startsDay(row) ? message.created_at : undefined;
  });
  return at === undefined ? null : <Day at={at} isAtTop />;
}
