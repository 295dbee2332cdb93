import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CalendarClock, Pencil, SendHorizontal, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery, meQuery, personQuery } from '../../api/queries.ts';
import type { Reminder, ScheduledMessage } from '../../api/types.ts';
import { ButtonLink, IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { List, ListRow } from '../../design/list.tsx';
import { onDemand } from '../../design/on-demand.tsx';
import { PageBody } from '../../design/page.tsx';
import { nameOf } from '../../design/person.tsx';
import { Empty, Failure } from '../../design/states.tsx';
import { tell } from '../../design/toast.tsx';
import { useFailureText } from '../../text/failure.ts';
import { useTimeText } from '../later/time-choice.tsx';
import { useNameOf } from '../message/people.tsx';
import { messageQuery } from '../state/lists.ts';
import { sidebarQuery } from '../state/message-queries.ts';
import { findMessage, useFromMessages } from '../state/messages.ts';
import {
  forgetReminder,
  remindersQuery,
  reschedule,
  scheduledQuery,
  unschedule,
} from '../state/scheduled.ts';
import { useSaid } from '../text/said.ts';
import styles from './scheduled.module.css';

const RescheduleDialog = onDemand(
  async () => (await import('../later/schedule-dialog.tsx')).RescheduleDialog,
);

/** What the reader has scheduled: what waits, and what could not be sent. */
export function Scheduled() {
  const t = useTranslations('members.later');
  const lists = useTranslations('members.lists');
  const queries = [useQuery(scheduledQuery), useQuery(remindersQuery)] as const;
  const [{ data: messages }, { data: reminders }] = queries;
  const failed = queries.find(({ data, error }) => data === undefined && error);
  const isEmpty = messages?.length === 0 && reminders?.length === 0;
  return (
    <PageBody title={t('page')} lead={!isEmpty && t('pageLead')}>
      {isEmpty && (
        <Empty icon={CalendarClock} title={t('emptyTitle')}>
          <p>{t('emptyText')}</p>
          <ButtonLink to="/compose" look="primary">
            {lists('compose')}
          </ButtonLink>
        </Empty>
      )}
      {failed && <Failure error={failed.error} retry={() => queries.map(({ refetch }) => refetch())} />}
      <Section name="messages" rows={messages} show={(row) => <MessageRow key={row.id} row={row} />} />
      <Section name="reminders" rows={reminders} show={(row) => <ReminderRow key={row.id} row={row} />} />
    </PageBody>
  );
}

/** Nothing, while there are no rows. */
function Section<Row>(props: {
  name: 'messages' | 'reminders';
  rows: readonly Row[] | undefined;
  show: (row: Row) => ReactNode;
}) {
  const { name, rows = [], show } = props;
  const t = useTranslations('members.later');
  if (rows.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby={`scheduled-${name}`}>
      <h2 id={`scheduled-${name}`}>{t(name)}</h2>
      <List label={t(name)}>{rows.map(show)}</List>
    </section>
  );
}

/** A message as it waits. */
interface Waiting {
  readonly text?: unknown;
  readonly addressed_teams?: unknown;
  readonly addressed_users?: unknown;
  readonly reply_to?: unknown;
  readonly sidebar?: unknown;
}

function MessageRow({ row }: { row: ScheduledMessage }) {
  const t = useTranslations('members.later');
  const failure = useFailureText();
  const [asked, setAsked] = useState<'change' | 'delete'>();
  const message = (row.message ?? {}) as Waiting;
  const text = typeof message.text === 'string' && message.text !== '' ? message.text : t('files');
  const sendNow = () =>
    reschedule(row.id, { send_now: true }).then(
      () => tell(t('sent')),
      (error: unknown) => tell(failure(error)),
    );
  return (
    <ListRow
      title={<Place message={message} />}
      detail={<TimeAndReason row={row} />}
      actions={
        <>
          <IconButton label={t('sendNow')} onClick={sendNow}>
            <SendHorizontal size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('change')} onClick={() => setAsked('change')}>
            <Pencil size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('delete')} onClick={() => setAsked('delete')}>
            <Trash2 size={18} aria-hidden />
          </IconButton>
        </>
      }
    >
      <p className={styles.words} dir="auto">
        {text}
      </p>
      {asked === 'change' && <RescheduleDialog row={row} onClose={() => setAsked(undefined)} />}
      <Confirm
        open={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        title={t('deleteTitle')}
        description={t('deleteText')}
        action={t('delete')}
        act={() => unschedule(row.id)}
      />
    </ListRow>
  );
}

/** When it is sent, and why it was not. */
function TimeAndReason({ row }: { row: ScheduledMessage | Reminder }) {
  const t = useTranslations('members.later');
  const timeText = useTimeText();
  return (
    <>
      <bdi>{timeText(row.send_at.local, row.send_at.zone)}</bdi>
      {row.reason !== null && <p className={styles.reason}>{t(reasonKey(row.reason))}</p>}
    </>
  );
}

const REASONS = [
  'late',
  'unreachable',
  'message_gone',
  'file_gone',
  'account',
  'access_ended',
  'error',
] as const;

/** The text of a reason; that of a refusal for one that came later. */
const reasonKey = (reason: string) =>
  `reasons.${REASONS.find((known) => known === reason) ?? 'refused'}` as const;

/** Where a message goes. */
function Place({ message }: { message: Waiting }) {
  const t = useTranslations('members.later');
  const { addressed_teams: teams, addressed_users: users, reply_to: reply, sidebar } = message;
  if (typeof reply === 'string') return <ToMessage id={reply} />;
  if (typeof sidebar === 'string') return <ToSidebar id={sidebar} />;
  const team = [teams].flat().find((id) => typeof id === 'string');
  if (team !== undefined) return <ToTeam id={team as string} />;
  const ids = Array.isArray(users) ? users : ((users as { ids?: unknown[] } | undefined)?.ids ?? []);
  const known = ids.filter((id): id is string => typeof id === 'string');
  return known.length === 0 ? t('elsewhere') : <ToPeople ids={known} />;
}

function ToTeam({ id }: { id: string }) {
  const t = useTranslations('members.later');
  const { data: memberships } = useQuery(membershipsQuery);
  return memberships?.find(({ team }) => team.id === id)?.team.name ?? t('elsewhere');
}

function ToPeople({ ids }: { ids: readonly string[] }) {
  const t = useTranslations('members.later');
  const { data: me } = useQuery(meQuery);
  const nameOfAll = useNameOf(me?.id ?? '');
  const found = useQueries({ queries: ids.map((id) => personQuery(id)) }).flatMap(({ data }) => data ?? []);
  return found.length === ids.length ? nameOfAll(found) : t('elsewhere');
}

/** @param props.sidebar beside the message, if it goes into one */
function ToMessage({ id, sidebar }: { id: string; sidebar?: string }) {
  const t = useTranslations('members');
  const said = useSaid();
  useQuery({ ...messageQuery(id), retry: false });
  const message = useFromMessages(() => findMessage(id));
  if (!message) return t('later.elsewhere');
  const about = { name: nameOf(message.author), text: said(message) };
  return t(sidebar === undefined ? 'later.replyTo' : 'drafts.sidebar', about);
}

function ToSidebar({ id }: { id: string }) {
  const t = useTranslations('members.later');
  const { data } = useQuery({ ...sidebarQuery(id), retry: false });
  return data ? <ToMessage id={data.message} sidebar={id} /> : t('elsewhere');
}

function ReminderRow({ row }: { row: Reminder }) {
  const t = useTranslations('members.later');
  const [asked, setAsked] = useState(false);
  const about = row.message !== null && (
    <Link to="/messages/$message" params={{ message: row.message }} className={styles.words}>
      <OfMessage id={row.message} />
    </Link>
  );
  return (
    <ListRow
      title={row.text === null ? about : <span dir="auto">{row.text}</span>}
      detail={<TimeAndReason row={row} />}
      actions={
        <IconButton label={t('delete')} onClick={() => setAsked(true)}>
          <Trash2 size={18} aria-hidden />
        </IconButton>
      }
    >
      {row.text !== null && about}
      <Confirm
        open={asked}
        onClose={() => setAsked(false)}
        title={t('deleteReminderTitle')}
        description={t('deleteText')}
        action={t('delete')}
        act={() => forgetReminder(row.id)}
      />
    </ListRow>
  );
}

/** The message that a reminder is about, as it is now. */
function OfMessage({ id }: { id: string }) {
  const t = useTranslations('members.later');
  const said = useSaid();
  useQuery({ ...messageQuery(id), retry: false });
  const message = useFromMessages(() => findMessage(id));
  return message ? t('messageBy', { name: nameOf(message.author), text: said(message) }) : t('message');
}
