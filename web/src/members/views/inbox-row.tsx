import { useQuery } from '@tanstack/react-query';
import {
  AlarmClock,
  AtSign,
  Check,
  CircleDot,
  CornerUpLeft,
  Hand,
  Lock,
  type LucideIcon,
  MessagesSquare,
  SmilePlus,
} from 'lucide-react';
import type { MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../../api/queries.ts';
import type { InboxEntry, Message, Team } from '../../api/types.ts';
import { Avatar, TeamIcon } from '../../design/avatar.tsx';
import { IconButton } from '../../design/button.tsx';
import { ApplicationMark, nameOf } from '../../design/person.tsx';
import { Time } from '../../design/time.tsx';
import { useNameList } from '../../text/names.ts';
import { useMessageView } from '../state/view-context.tsx';
import { useSaid } from '../text/said.ts';
import styles from './inbox-page.module.css';
import { opensMessage } from './keys.ts';
import { useSwipe } from './use-swipe.ts';

/** Whether all that is new are reactions. */
export const isReaction = ({ unread, reasons }: InboxEntry) =>
  !unread && reasons.some((one) => one === 'reaction' || one === 'high_five');

export const isNew = (entry: InboxEntry) => entry.unread || isReaction(entry);

/** The people or the team of a row. */
export function useNameOfEntry() {
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

/** One conversation, or a team, with what is new in it. */
export function InboxRow({ entry, isOpen, place, onOpen, onDone }: RowProps) {
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
          <span className={styles.name} dir="auto">
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
            <div className={styles.last}>
              <By author={about.author} />
              <p dir="auto">{about.text}</p>
            </div>
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
  const said = useSaid();
  const { kind, last, people } = entry;
  const [first, ...others] = people;
  const isNamed = kind !== 'team' && others.length === 0 && first?.id === last.author.id;
  return (
    <div className={styles.last}>
      {!isNamed && <By author={last.author} />}
      <p dir="auto">{said(last)}</p>
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
