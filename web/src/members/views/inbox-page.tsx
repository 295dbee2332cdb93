import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import {
  AtSign,
  Check,
  CheckCheck,
  Hand,
  Inbox as InboxIcon,
  MessagesSquare,
  PartyPopper,
  PenLine,
} from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import { inboxCountsQuery, membershipsQuery } from '../../api/queries.ts';
import type { InboxEntry, InboxFilter, Team } from '../../api/types.ts';
import { Avatar, TeamIcon } from '../../design/avatar.tsx';
import { Button, ButtonLink, IconButton } from '../../design/button.tsx';
import { Tabs, useTitle } from '../../design/page.tsx';
import { ApplicationMark, nameOf } from '../../design/person.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { endToast, tell } from '../../design/toast.tsx';
import { ViewHead } from '../../design/view.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { useFailureText } from '../../text/failure.ts';
import { useNameList } from '../../text/names.ts';
import { MessageText } from '../message/message-text.tsx';
import { inboxQuery, markDone, markSeen, undoDone } from '../state/inbox.ts';
import { isDeleted } from '../state/message-list.ts';
import { peopleKey } from '../state/people-key.ts';
import { markAllRead } from '../state/reading.ts';
import { type MessageView, useMessageView } from '../state/view-context.tsx';
import frame from './frame.module.css';
import styles from './inbox-page.module.css';
import { focusedPanel, opensMessage } from './keys.ts';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';
import { useSwipe } from './use-swipe.ts';

/** The server names no more people of a conversation. */
const PEOPLE_SHOWN = 8;

const FILTERS = ['new', 'mentions', 'threads', 'all'] as const satisfies readonly InboxFilter[];

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
            search={one === 'new' ? {} : { show: one }}
            aria-current={one === filter ? 'page' : undefined}
          >
            {t(one)}
          </Link>
        ))}
      </Tabs>
      <div className={frame.body}>
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
  const lists = useTranslations('members.lists');
  const failureText = useFailureText();
  const { data: counts } = useQuery(inboxCountsQuery);
  if (!counts || counts.total + counts.teams === 0) return null;
  const onClick = () => void markAllRead().catch((error: unknown) => tell(failureText(error)));
  return (
    <Button small look="quiet" onClick={onClick}>
      <CheckCheck size={16} aria-hidden />
      <span className={frame.word}>{lists('markAllRead')}</span>
    </Button>
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
  const view = useMessageView();
  const [opened, setOpened] = useState<string>();
  const isOpen = ({ message, conversation }: InboxEntry) =>
    openId !== undefined && message === openId && (opened ?? conversation) === conversation;
  const rows = useWithOpen(
    useMemo(() => together(entries), [entries]),
    isOpen,
  );
  const list = useRef<HTMLDivElement>(null);
  useImperativeHandle(mover, () => ({ move: (by) => moveFocus(list.current, by) }));
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
  if (rows.length === 0) {
    const { icon, title, text } = EMPTY[filter];
    return (
      <div className={frame.scroll}>
        <Empty icon={icon} title={t(title)}>
          <p>{t(text)}</p>
        </Empty>
      </div>
    );
  }
  return (
    <div className={frame.scroll}>
      <div ref={list} role="feed" aria-label={t('title')} onKeyDown={(event) => moveByArrow(event, mover)}>
        {rows.map((entry, index) => (
          <Row
            key={entry.conversation}
            entry={entry}
            isOpen={isOpen(entry)}
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
    const key = isDirect && people.length > 0 && entry.unread ? people.join() : entry.conversation;
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
  isOpen: (entry: InboxEntry) => boolean,
): readonly RowEntry[] {
  const before = useRef<readonly RowEntry[]>([]);
  const open = before.current.find(isOpen);
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
  const failureText = useFailureText();
  const nameOfEntry = useNameOfEntry();
  const undo = () => {
    endToast();
    undoDone().catch((error: unknown) => tell(failureText(error)));
  };
  const done = (entry: RowEntry) => {
    if (!isNew(entry)) return;
    if (focusedRow(list.current) === entry.conversation) moveFocus(list.current, 1);
    const title = t('isDone', { name: nameOfEntry(entry) });
    markDone(entry, entry.others)
      .then((now) => {
        if (now !== 'undone') tell(title, now === 'undoable' ? { label: t('undo'), run: undo } : undefined);
      })
      .catch((error: unknown) => tell(failureText(error)));
  };
  return { done, undo };
}

/** Opens an entry: a team in its stream, a conversation beside the list. Opening a high five is enough to see it. */
function useOpen(view: MessageView) {
  const navigate = useNavigate();
  return (entry: InboxEntry) => {
    const { kind, last, message, sidebar } = entry;
    if (isHighFive(entry)) void markSeen(entry).catch(() => undefined);
    if (kind === 'team') return void navigate({ to: '/teams/$team', params: { team: entry.conversation } });
    const { length } = entry.people;
    // A direct message stands among the others to the same people, if the entry names them all.
    if (kind === 'conversation' && entry.team === null && length > 0 && length < PEOPLE_SHOWN) {
      const people = peopleKey(
        entry.people.map(({ id }) => id),
        view.me.id,
      );
      const search = last.reply_to === undefined ? {} : { open: last.reply_to };
      return void navigate({ to: '/direct/$people', params: { people }, search });
    }
    const { reply_to, sidebar: _, ...rest } = last;
    const opened = reply_to === undefined ? { ...rest, id: message ?? last.id } : last;
    view.open(opened, sidebar !== null, sidebar ?? undefined);
  };
}

/** Whether all that is new is a high five. */
const isHighFive = ({ unread, reasons }: InboxEntry) => !unread && reasons.includes('high_five');

const isNew = (entry: InboxEntry) => entry.unread || isHighFive(entry);

/** The people or the team of a row. */
function useNameOfEntry() {
  const t = useTranslations('members.inbox');
  const list = useNameList();
  const { data: memberships } = useQuery(membershipsQuery);
  return ({ kind, team, people }: InboxEntry): string => {
    if (kind === 'team') return memberships?.find((one) => one.team.id === team)?.team.name ?? '…';
    return people.length === 0 ? t('you') : list(people.map(nameOf));
  };
}

interface RowProps {
  readonly entry: InboxEntry;
  readonly isOpen: boolean;
  readonly place: { readonly position: number; readonly size: number };
  readonly onOpen: () => void;
  readonly onDone: () => void;
}

function Row({ entry, isOpen, place, onOpen, onDone }: RowProps) {
  const t = useTranslations('members.inbox');
  const { data: memberships } = useQuery(membershipsQuery);
  const team = memberships?.find((one) => one.team.id === entry.team)?.team;
  const name = useNameOfEntry()(entry);
  const isTeam = entry.kind === 'team';
  const reason = reasonOf(entry);
  const swipe = useSwipe(isNew(entry) ? onDone : undefined);
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    if (!event.currentTarget.contains(target)) return;
    if (target.closest('a, button') || getSelection()?.isCollapsed === false) return;
    onOpen();
  };
  const label =
    isTeam || reason === undefined ? name : t('unreadFrom', { name, reason: t(`reasons.${reason}`) });
  return (
    <article
      className={[
        styles.row,
        isOpen && styles.open,
        !entry.unread && styles.read,
        (isTeam || entry.muted) && !entry.mentioned && styles.quiet,
      ]
        .filter(Boolean)
        .join(' ')}
      data-inbox={entry.conversation}
      data-kind={entry.kind}
      tabIndex={place.position === 1 ? 0 : -1}
      aria-label={entry.unread ? label : name}
      aria-posinset={place.position}
      aria-setsize={place.size}
      aria-current={isOpen || undefined}
      onClick={onClick}
      onKeyDown={(event) => opensMessage(event) && onOpen()}
      {...swipe}
    >
      <span className={styles.mark} aria-hidden />
      <Face entry={entry} team={team} />
      <div className={styles.content}>
        <p className={styles.head}>
          <span className={styles.name}>
            {isTeam ? t('team', { count: entry.num_unread, team: name }) : name}
          </span>
          <Place entry={entry} team={team} />
          {entry.muted && <span className={styles.soft}>{t('muted')}</span>}
          <span className={styles.time}>
            <Time at={entry.active_at} />
          </span>
        </p>
        <Last entry={entry} />
        <p className={styles.foot}>
          {entry.reasons.map(
            (one) =>
              isKnown(one) && (
                <span key={one} className={`${styles.reason} ${isStrong(entry, one) ? styles.strong : ''}`}>
                  {one === 'mention' && <AtSign size={12} aria-hidden />}
                  {one === 'high_five' && <Hand size={12} aria-hidden />}
                  {t(`reasons.${one}`)}
                </span>
              ),
          )}
          {!isTeam && entry.num_unread > 1 && (
            <span className={styles.soft}>{t('news', { count: entry.num_unread })}</span>
          )}
        </p>
      </div>
      {isNew(entry) && (
        <span className={styles.actions}>
          <IconButton
            label={t(isTeam ? 'doneWithTeam' : 'doneWith', { name })}
            look="secondary"
            onClick={onDone}
          >
            <Check size={16} aria-hidden />
          </IconButton>
        </span>
      )}
    </article>
  );
}

const REASONS = ['mention', 'direct', 'reply', 'followed', 'sidebar', 'high_five', 'unread'] as const;
type Reason = (typeof REASONS)[number];
const isKnown = (reason: string): reason is Reason => REASONS.some((one) => one === reason);
const reasonOf = ({ reasons }: InboxEntry) => reasons.find(isKnown);

/** Mentions and what was written to the reader alone stand out while they are unread. */
const isStrong = (entry: InboxEntry, reason: Reason) =>
  entry.unread && (reason === 'mention' ? entry.mentioned : reason === 'direct' || reason === 'sidebar');

function Face({ entry, team }: { entry: InboxEntry; team: Team | undefined }) {
  const [person] = entry.people;
  if (entry.kind === 'team') return team ? <TeamIcon team={team} /> : <span />;
  return <Avatar person={person ?? entry.last.author} presence />;
}

/** Where it is. */
function Place({ entry, team }: { entry: InboxEntry; team: Team | undefined }) {
  const t = useTranslations('members.inbox');
  if (entry.kind === 'team') return null;
  const name = team?.name ?? '…';
  if (entry.kind === 'sidebar') {
    return (
      <span className={styles.soft}>
        {entry.team === null ? t('privateDirect') : t('private', { team: name })}
      </span>
    );
  }
  return <span className={styles.soft}>{entry.team === null ? t('direct') : t('in', { team: name })}</span>;
}

/** The last sentence, and who said it. */
function Last({ entry: { last } }: { entry: InboxEntry }) {
  const t = useTranslations('members.inbox');
  const message = useTranslations('members.message');
  const { me } = useMessageView();
  const author = last.author.id === me.id ? t('you') : last.author.first_name;
  return (
    <div className={styles.last}>
      <span className={styles.author}>
        {author}
        {last.author.is_application && ' '}
        <ApplicationMark author={last.author} />:
      </span>
      {isDeleted(last) ? (
        <p>{message('deleted')}</p>
      ) : last.text === '' ? (
        <p>{t('attachment')}</p>
      ) : (
        <MessageText text={last.text} message={last} />
      )}
    </div>
  );
}

const rowsOf = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-inbox]') ?? [])];

const focusedRow = (list: HTMLElement | null): string | undefined =>
  rowsOf(list).find((row) => row.contains(document.activeElement))?.dataset.inbox;

function moveFocus(list: HTMLElement | null, by: 1 | -1): void {
  const rows = rowsOf(list);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const target = at === -1 ? rows[0] : (rows[at + by] ?? rows[at - by]);
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
}

function moveByArrow(event: KeyboardEvent, mover: RefObject<Mover | null>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined;
  if (by === undefined || !(event.target as Element).matches('article')) return;
  event.preventDefault();
  mover.current?.move(by);
}
