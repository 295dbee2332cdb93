import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { AtSign, CheckCheck, Inbox as InboxIcon, MessagesSquare, PartyPopper, PenLine } from 'lucide-react';
import { type RefObject, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { applicationKey } from '../../api/application-key.ts';
import { inboxCountsQuery, membershipsQuery } from '../../api/queries.ts';
import type { InboxEntry, InboxFilter } from '../../api/types.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { focusTitle } from '../../design/kept-focus.ts';
import { Tabs, useTitle } from '../../design/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { ViewHead } from '../../design/view.tsx';
import { NoTeam } from '../../shell/no-team.tsx';
import { OwnInvitations } from '../../shell/own-invitations.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { inboxQuery, type Marking, MOST_AT_ONCE, markAllDone, markDone, markSeen } from '../state/inbox.ts';
import { peopleKey } from '../state/people-key.ts';
import { markAllRead } from '../state/reading.ts';
import { type MessageView, useMessageView } from '../state/view-context.tsx';
import frame from './frame.module.css';
import styles from './inbox-page.module.css';
import { InboxRow, isNew, isReaction, useNameOfEntry } from './inbox-row.tsx';
import { focusedPanel } from './keys.ts';
import { useMarking } from './marking.ts';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';
import { NotificationOffer } from './notification-offer.tsx';

/** The server names no more people of a conversation. */
const PEOPLE_SHOWN = 8;

const FILTERS = ['new', 'mentions', 'threads', 'all'] as const satisfies readonly InboxFilter[];

/** A tab without a parameter is the open one only where the address has none; an open conversation changes no tab. */
const BY_SEARCH = { explicitUndefined: true };

const EMPTY = {
  new: { icon: PartyPopper, title: 'emptyNew', text: 'emptyNewText' },
  all: { icon: InboxIcon, title: 'emptyAll', text: 'emptyAllText' },
  threads: { icon: MessagesSquare, title: 'emptyThreads', text: 'emptyThreadsText' },
  mentions: { icon: AtSign, title: 'emptyMentions', text: 'emptyMentionsText' },
} as const;

/** What is new to the reader, a row for each conversation, and the open one beside it. */
export function Inbox() {
  const { open, show } = useSearch({ strict: false }) as { open?: string; show?: string };
  const filter = FILTERS.find((one) => one === show) ?? 'new';
  const mover = useRef<Mover>(null);
  return (
    <MessagesFrame openId={open} mover={mover}>
      <Page filter={filter} openId={open} mover={mover} />
    </MessagesFrame>
  );
}

interface PageProps {
  readonly filter: InboxFilter;
  readonly openId: string | undefined;
  readonly mover: RefObject<Mover | null>;
}

function Page({ filter, openId, mover }: PageProps) {
  const t = useTranslations('members.inbox');
  const lists = useTranslations('members.lists');
  useTitle(t('title'));
  const query = useInfiniteQuery(inboxQuery(filter));
  return (
    <>
      <ViewHead title={t('title')}>
        <MarkAllRead />
        <ButtonLink to="/compose" small className={frame.onPhone as string}>
          <PenLine size={16} aria-hidden />
          <span className={frame.word}>{lists('compose')}</span>
        </ButtonLink>
      </ViewHead>
      <Tabs label={t('filters')}>
        {FILTERS.map((one) => (
          <Link
            key={one}
            to="/inbox"
            search={{ show: one === 'new' ? undefined : one }}
            activeOptions={BY_SEARCH}
          >
            {t(one)}
          </Link>
        ))}
      </Tabs>
      <div className={frame.body}>
        {filter === 'new' && <OwnInvitations />}
        <Loaded query={query}>
          {({ pages }) => (
            <Rows
              key={filter}
              filter={filter}
              entries={pages.flatMap(({ entries }) => entries)}
              openId={openId}
              mover={mover}
              more={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
            />
          )}
        </Loaded>
      </div>
    </>
  );
}

function MarkAllRead() {
  const t = useTranslations('members.inbox');
  const lists = useTranslations('members.lists');
  const [isAsking, setAsking] = useState(false);
  const { told } = useMarking();
  const { data: counts } = useQuery(inboxCountsQuery);
  const mark = async (): Promise<Marking> => {
    const marking = await markAllDone();
    if (marking !== 'many') return marking;
    setAsking(true);
    return 'undone';
  };
  return (
    <>
      {counts && counts.total + counts.teams > 0 && (
        <Button small look="quiet" onClick={() => told(t('allDone'), mark())}>
          <CheckCheck size={16} aria-hidden />
          <span className={frame.word}>{lists('markAllRead')}</span>
        </Button>
      )}
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('allTitle')}
        description={t('allText', { count: MOST_AT_ONCE })}
        action={lists('markAllRead')}
        act={markAllRead}
      />
    </>
  );
}

interface RowsProps extends PageProps {
  readonly entries: readonly InboxEntry[];
  readonly more: (() => void) | undefined;
}

/** In the open conversation the keys are those of its messages. */
const isBesidePanel = () => !focusedPanel();

function Rows({ filter, entries, openId, mover, more }: RowsProps) {
  const t = useTranslations('members.inbox');
  const lists = useTranslations('members.lists');
  const { data: memberships } = useQuery(membershipsQuery);
  const view = useMessageView();
  const [opened, setOpened] = useState<string>();
  // A conversation and its sidebars are rows of one message.
  const findOpen = (all: readonly RowEntry[]) => {
    const ofMessage = openId === undefined ? [] : all.filter(({ message }) => message === openId);
    return ofMessage.find(({ conversation }) => conversation === opened) ?? ofMessage[0];
  };
  const rows = useWithOpen(
    useMemo(() => together(entries), [entries]),
    findOpen,
  );
  const openRow = findOpen(rows);
  const list = useRef<HTMLDivElement>(null);
  useImperativeHandle(mover, () => ({
    move: (by) => moveFocus(list.current, by),
    enter: () => moveFocus(list.current, 1),
    // What was read leaves the list with its conversation: the title has the focus where no other row is left.
    back: () => {
      const at = openRow ? rows.indexOf(openRow) : 0;
      requestAnimationFrame(() => {
        const shown = rowsOf(list.current);
        const row = shown.find((one) => one.dataset.inbox === openRow?.conversation);
        const next = row ?? shown[Math.min(at, shown.length - 1)];
        if (next) next.focus();
        else focusTitle();
      });
      return true;
    },
  }));
  const act = useActs(list);
  const show = useOpen(view);
  const openEntry = (entry: InboxEntry) => {
    setOpened(entry.conversation);
    show(entry);
  };
  const focused = () => rows.find(({ conversation }) => conversation === focusedRow(list.current));
  const withFocused = (work: (entry: RowEntry) => void) => () => {
    const entry = focused();
    if (entry) work(entry);
  };
  useShortcuts(t('title'), {
    o: { label: t('open'), run: withFocused(openEntry), isMeant: isBesidePanel },
    e: { label: t('done'), run: withFocused(act.done), isMeant: isBesidePanel },
    u: { label: t('undoLast'), run: act.undo, isMeant: isBesidePanel },
  });
  if (rows.length === 0 && filter === 'new' && memberships?.length === 0)
    return (
      <div className={frame.scroll}>
        <NoTeam browse />
      </div>
    );
  if (rows.length === 0) {
    const { icon, title, text } = EMPTY[filter];
    return (
      <div className={frame.scroll}>
        <Empty icon={icon} title={t(title)}>
          <p>{t(text)}</p>
          {filter === 'new' && <NotificationOffer />}
          {filter === 'all' && (
            <ButtonLink to="/compose" look="primary">
              {lists('compose')}
            </ButtonLink>
          )}
        </Empty>
      </div>
    );
  }
  return (
    <div className={frame.scroll}>
      <div ref={list} role="feed" aria-label={t('title')} className={styles.rows}>
        {rows.map((entry, index) => (
          <InboxRow
            key={entry.conversation}
            entry={entry}
            isOpen={entry === openRow}
            place={{ position: index + 1, size: more ? -1 : rows.length }}
            onOpen={() => openEntry(entry)}
            onDone={() => act.done(entry)}
          />
        ))}
      </div>
      {more && (
        <p className={styles.more}>
          <Button small look="quiet" onClick={more}>
            {t('more')}
          </Button>
        </p>
      )}
    </div>
  );
}

/** A row of the list: an entry, and older ones of the same people in direct messages. */
interface RowEntry extends InboxEntry {
  readonly others?: readonly InboxEntry[];
}

/** Puts direct messages between the same people into one row. */
function together(entries: readonly InboxEntry[]): readonly RowEntry[] {
  const rows = new Map<string, RowEntry>();
  for (const entry of entries) {
    const isDirect = entry.kind === 'conversation' && entry.team === null;
    const people = entry.people.map(({ id }) => id).sort();
    const among = [...people, entry.last.team ?? ''].join();
    const key = isDirect && people.length > 0 && entry.unread ? among : entry.conversation;
    const first = rows.get(key);
    rows.set(key, first ? joined(first, entry) : entry);
  }
  return [...rows.values()];
}

const joined = (first: RowEntry, entry: InboxEntry): RowEntry => ({
  ...first,
  reasons: [...new Set([...first.reasons, ...entry.reasons])],
  mentioned: first.mentioned || entry.mentioned,
  num_unread: first.num_unread + entry.num_unread,
  others: [...(first.others ?? []), entry],
});

/** Reading the open conversation takes it out of the list; it stays in its place until another one is opened. */
function useWithOpen(
  entries: readonly RowEntry[],
  findOpen: (rows: readonly RowEntry[]) => RowEntry | undefined,
): readonly RowEntry[] {
  const before = useRef<readonly RowEntry[]>([]);
  const open = findOpen(before.current);
  const gone = open && !entries.some(({ conversation }) => conversation === open.conversation);
  const rows = gone
    ? [...entries, { ...open, unread: false, mentioned: false, num_unread: 0 }].sort(
        (one, other) => other.active_at - one.active_at,
      )
    : entries;
  before.current = rows;
  return rows;
}

function useActs(list: RefObject<HTMLDivElement | null>) {
  const t = useTranslations('members.inbox');
  const nameOfEntry = useNameOfEntry();
  const { told, undo } = useMarking();
  const done = (entry: RowEntry) => {
    if (!isNew(entry)) return;
    if (focusedRow(list.current) === entry.conversation && !moveFocus(list.current, 1))
      moveFocus(list.current, -1);
    told(t('isDone', { name: nameOfEntry(entry) }), markDone(entry, entry.others));
  };
  return { done, undo };
}

/** Opens an entry: a team in its stream, a conversation beside the list. Opening a high five is enough to see it. */
function useOpen(view: MessageView) {
  const navigate = useNavigate();
  return (entry: InboxEntry) => {
    const { kind, last, message, sidebar } = entry;
    if (isReaction(entry)) void markSeen(entry).catch(() => undefined);
    if (kind === 'team') return void navigate({ to: '/teams/$team', params: { team: entry.conversation } });
    const { length } = entry.people;
    // A direct message stands among the others to the same people, if the entry names them all.
    if (kind === 'conversation' && entry.team === null && length > 0 && length < PEOPLE_SHOWN) {
      const { addressed_application: application, team } = last;
      const ids = entry.people.map(({ id }) => id);
      const people =
        application !== undefined && team !== undefined
          ? applicationKey({ application, team })
          : peopleKey(ids, view.me.id);
      const search = last.reply_to === undefined ? {} : { open: last.reply_to };
      return void navigate({ to: '/direct/$people', params: { people }, search });
    }
    const { reply_to, sidebar: _, ...rest } = last;
    const opened = reply_to === undefined ? { ...rest, id: message ?? last.id } : last;
    view.open(opened, sidebar !== null, sidebar ?? undefined);
  };
}

const rowsOf = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-inbox]') ?? [])];

const focusedRow = (list: HTMLElement | null): string | undefined =>
  rowsOf(list).find((row) => row.contains(document.activeElement))?.dataset.inbox;

function moveFocus(list: HTMLElement | null, by: 1 | -1): boolean {
  const rows = rowsOf(list);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const target = at === -1 ? rows[0] : rows[at + by];
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
  return target !== undefined;
}
