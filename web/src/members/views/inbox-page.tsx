import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import {
  AlarmClock,
  AtSign,
  Check,
  CheckCheck,
  CircleDot,
  CornerUpLeft,
  Hand,
  Inbox as InboxIcon,
  Lock,
  type LucideIcon,
  MessagesSquare,
  PartyPopper,
  PenLine,
  SmilePlus,
} from 'lucide-react';
import { type MouseEvent, type RefObject, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { applicationKey } from '../../api/application-key.ts';
import { inboxCountsQuery, membershipsQuery } from '../../api/queries.ts';
import type { InboxEntry, InboxFilter, Message, Team } from '../../api/types.ts';
import { Avatar, TeamIcon } from '../../design/avatar.tsx';
import { Button, ButtonLink, IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { focusTitle } from '../../design/kept-focus.ts';
import { Tabs, useTitle } from '../../design/page.tsx';
import { ApplicationMark, nameOf } from '../../design/person.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { ViewHead } from '../../design/view.tsx';
import { NoTeam } from '../../shell/no-team.tsx';
import { OwnInvitations } from '../../shell/own-invitations.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import { useNameList } from '../../text/names.ts';
import { inboxQuery, type Marking, MOST_AT_ONCE, markAllDone, markDone, markSeen } from '../state/inbox.ts';
import { isDeleted } from '../state/message-list.ts';
import { peopleKey } from '../state/people-key.ts';
import { markAllRead } from '../state/reading.ts';
import { type MessageView, useMessageView } from '../state/view-context.tsx';
import { MessageText } from '../text/message-text.tsx';
import frame from './frame.module.css';
import styles from './inbox-page.module.css';
import { focusedPanel, opensMessage } from './keys.ts';
import { useMarking } from './marking.ts';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';
import { NotificationOffer } from './notification-offer.tsx';
import { useSwipe } from './use-swipe.ts';

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
          <Row
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

/** Whether all that is new are reactions. */
const isReaction = ({ unread, reasons }: InboxEntry) =>
  !unread && reasons.some((one) => one === 'reaction' || one === 'high_five');

const isNew = (entry: InboxEntry) => entry.unread || isReaction(entry);

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
  const isFived = isReaction(entry);
  const { about } = entry;
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
          <Reasons entry={entry} />
          <span className={styles.time}>
            <Time at={entry.active_at} />
          </span>
        </p>
        <div className={styles.line}>
          {about && !isFived && (
            <p className={styles.about}>
              <By author={about.author} />
              <bdi>{about.text}</bdi>
            </p>
          )}
          {about && isFived ? (
            <p className={styles.last} dir="auto">
              <By author={about.author} />
              {about.text}
            </p>
          ) : (
            <Last entry={entry} />
          )}
        </div>
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

const REASONS = [
  'mention',
  'direct',
  'reply',
  'followed',
  'sidebar',
  'high_five',
  'reaction',
  'reminder',
  'unread',
] as const;
type Reason = (typeof REASONS)[number];
const isKnown = (reason: string): reason is Reason => REASONS.some((one) => one === reason);
const reasonOf = ({ reasons }: InboxEntry) => reasons.find(isKnown);

function Face({ entry, team }: { entry: InboxEntry; team: Team | undefined }) {
  const [person] = entry.people;
  if (entry.kind === 'team') return team ? <TeamIcon team={team} size="normal" /> : <span />;
  return <Avatar person={person ?? entry.last.author} presence />;
}

/** Where it is. */
function Place({ entry, team }: { entry: InboxEntry; team: Team | undefined }) {
  const t = useTranslations('members.inbox');
  if (entry.kind === 'team') return null;
  const name = team?.name ?? '…';
  if (entry.kind === 'sidebar') {
    return (
      <span className={`${styles.soft} ${styles.private}`}>
        <Lock size={12} aria-hidden />
        {entry.team === null ? t('privateDirect') : t('private', { team: name })}
      </span>
    );
  }
  if (entry.team === null) return null;
  const { subject } = entry.last;
  return (
    <span className={styles.soft}>
      {t('in', { team: name })}
      {subject !== null && (
        <>
          {' › '}
          <bdi>{subject}</bdi>
        </>
      )}
    </span>
  );
}

const SIGNS = {
  reply: CornerUpLeft,
  followed: MessagesSquare,
  high_five: Hand,
  reaction: SmilePlus,
  reminder: AlarmClock,
  unread: CircleDot,
} as const satisfies Partial<Record<Reason, LucideIcon>>;
const hasSign = (reason: Reason): reason is keyof typeof SIGNS => reason in SIGNS;

/** Why it concerns the reader, as far as its place does not say so. */
function Reasons({ entry }: { entry: InboxEntry }) {
  const t = useTranslations('members.inbox');
  const known = entry.reasons.filter(isKnown);
  const isMany = entry.kind !== 'team' && entry.num_unread > 1;
  return (
    <span className={styles.reasons}>
      {known.includes('mention') && (
        <span className={`${styles.reason} ${entry.mentioned ? styles.strong : ''}`}>
          <AtSign size={12} aria-hidden />
          {t('reasons.mention')}
        </span>
      )}
      {isMany && <span className={styles.soft}>{t('news', { count: entry.num_unread })}</span>}
      {known.filter(hasSign).map((reason) => {
        const Sign = SIGNS[reason];
        return (
          <span key={reason} className={styles.reason} title={t(`reasons.${reason}`)}>
            <Sign size={14} aria-hidden />
            <span className={styles.word}>{t(`reasons.${reason}`)}</span>
          </span>
        );
      })}
    </span>
  );
}

/** The last sentence, and who said it, unless the row has their name. */
function Last({ entry }: { entry: InboxEntry }) {
  const t = useTranslations('members.inbox');
  const message = useTranslations('members.message');
  const { kind, last, people } = entry;
  const [first, ...others] = people;
  const isNamed = kind !== 'team' && others.length === 0 && first?.id === last.author.id;
  return (
    <div className={styles.last}>
      {!isNamed && <By author={last.author} />}
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

function By({ author }: { author: Message['author'] }) {
  const t = useTranslations('members.inbox');
  const { me } = useMessageView();
  return (
    <span className={styles.author}>
      <bdi>{author.id === me.id ? t('you') : author.first_name}</bdi>
      {author.is_application && ' '}
      <ApplicationMark author={author} />:
    </span>
  );
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
