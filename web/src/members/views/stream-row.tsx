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
import { neighbourOf } from '../state/neighbour.ts';
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
  | {
      readonly key: string;
      readonly entry: Unsent;
      /** The message or entry above it. */
      readonly before: string | Unsent | undefined;
      /** People who joined the team since the last message. */
      readonly joined?: JoinedPeople | undefined;
    }
  /** What an application has told the reader alone. */
  | { readonly key: string; readonly answer: EphemeralAnswer };

const messageOf = (row: Row) => neighbourOf('entry' in row ? row.entry : row.key);
const above = (row: Row) => ('before' in row ? neighbourOf(row.before) : undefined);

/** Whether it stands without a header, below a message of the same author. */
export function isContinued(row: Row): boolean {
  const message = messageOf(row);
  if (message === undefined || ('isNew' in row && row.isNew) || ('joined' in row && row.joined)) return false;
  return !startsDay(row) && !changesSubject(row) && goesOn(message, above(row));
}

/** Whether it is about something else than the message above it. */
const changesSubject = (row: Row) => messageOf(row)?.subject_id !== above(row)?.subject_id;

function startsDay(row: Row): boolean {
  const [before, message] = [above(row), messageOf(row)];
  return message !== undefined && !(before && sameDay(before.created_at, message.created_at));
}

/** The subject whose name stands above it. */
function subjectOf(row: Row): { team: string; id: string | undefined; name: string } | undefined {
  if ('entry' in row) {
    const { target } = row.entry;
    return target.kind === 'team' && target.subject
      ? { team: target.id, id: target.subject.id, name: target.subject.name }
      : undefined;
  }
  const { subject_id: id, subject, addressed_teams: [team] = [] } = findMessage(row.key) ?? {};
  return id !== undefined && team !== undefined ? { team, id, name: subject ?? '' } : undefined;
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
  const joined = 'isNew' in row ? row.joined : undefined;
  const message = useFromMessages(() => findMessage(row.key));
  const grouped = useFromMessages(() => isContinued(row));
  const begins = useFromMessages(() => titled && changesSubject(row));
  const dayAt = useFromMessages(() => (startsDay(row) ? messageOf(row)?.created_at : undefined));
  const subject = subjectOf(row);
  return (
    <>
      {beginning && <p className={styles.beginning}>{beginning}</p>}
      {dayAt !== undefined && <Day at={dayAt} isNew={isNew && !joined} />}
      {joined && <JoinedNote group={joined} />}
      {isNew && !(dayAt !== undefined && !joined) && (
        <div className={`${styles.day} ${styles.newLine}`}>{t('new')}</div>
      )}
      <article
        className={[
          styles.article,
          !grouped && styles.begins,
          marked && styles.marked,
          titled && subject && styles.about,
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
        {begins && subject && <SubjectTitle {...subject} />}
        {message && <MessageBody message={message} grouped={grouped} folds />}
        {'entry' in row && <UnsentMessage entry={row.entry} grouped={grouped} folds edit={takeBack} />}
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
