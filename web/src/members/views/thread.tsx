import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { nameOf } from '../../design/person.tsx';
import { Loaded } from '../../design/states.tsx';
import { useKeptNames } from '../../storage/kept.ts';
import { AlsoToTeam } from '../compose/also-to-team.tsx';
import { Composer, type ComposerHandle } from '../compose/composer.tsx';
import { LeftText } from '../compose/left-text.tsx';
import { MessageBody } from '../message/message-body.tsx';
import { UnsentMessage } from '../message/unsent-message.tsx';
import { nameOfDraft, nameOfEdit } from '../state/drafts.ts';
import type { answersQuery } from '../state/lists.ts';
import { goesOn, isDeleted, type MessageList } from '../state/message-list.ts';
import { findMessage, firstUnread, useFromMessages, useMessage } from '../state/messages.ts';
import { neighbourOf } from '../state/neighbour.ts';
import { asNeighbour, sameTarget, type Target, type Unsent, useUnsent } from '../state/outbox.ts';
import { isKeptUnread, markConversationRead, markUpTo, untilTold } from '../state/reading.ts';
import { useMessageView } from '../state/view-context.tsx';
import { useWatched } from '../state/watched.ts';
import styles from './frame.module.css';
import { useKeptEnd } from './kept-end.ts';
import { notePosted } from './notification-offer.tsx';
import { useEditLast } from './use-edit-last.ts';
import { useExtend } from './use-extend.tsx';
import { WhoTypes } from './who-types.tsx';

/**
 * The replies to a message, or a sidebar's messages, oldest first, and the composer below.
 * @param props.closed whether writing has ended
 */
export function Thread(props: {
  root: Message;
  above: ReactNode;
  query: ReturnType<typeof answersQuery>;
  target: Extract<Target, { id: string }>;
  closed?: boolean;
  label: string;
  placeholder?: string;
  composer: RefObject<ComposerHandle | null>;
  writing: RefObject<boolean>;
  marked: string | undefined;
  /** Closes it, where it stands beside a list. */
  onEscape: (() => void) | undefined;
}) {
  const {
    root,
    above,
    target,
    closed = false,
    label,
    placeholder = label,
    composer,
    writing,
    marked,
    onEscape,
  } = props;
  const t = useTranslations('members.left');
  const place = `${target.kind}.${target.id}`;
  const query = useQuery(props.query);
  const unsent = useUnsent((entry) => sameTarget(entry.target, target));
  const view = useMessageView();
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (writing.current) composer.current?.focus();
    writing.current = false;
  }, [writing, composer]);
  useKeptEnd(scroller, AT_END, () => scroller.current?.scrollTo(0, scroller.current.scrollHeight));
  const editLast = useEditLast(query.data, unsent);
  const [team] = root.addressed_teams;
  const [alsoTo, setAlsoTo] = useState(false);
  return (
    <>
      <div ref={scroller} className={styles.scroll} data-scroll-restoration-id={place}>
        {above}
        <Loaded query={query} rows={2}>
          {(list: MessageList) => (
            <Answers
              root={root}
              list={list}
              queryKey={props.query.queryKey}
              unsent={unsent}
              marked={marked}
              scroller={scroller}
              {...(!closed && { takeBack: (entry: Unsent) => composer.current?.takeBack(entry) })}
            />
          )}
        </Loaded>
        <div className={styles.end} />
      </div>
      {closed ? (
        <div className={styles.foot}>
          <LeftText name={nameOfDraft(view.me.id, place)}>{t('replies')}</LeftText>
        </div>
      ) : (
        <div className={`${styles.foot} ${target.kind === 'sidebar' ? styles.privately : ''}`}>
          <WhoTypes place={root.addressed_application === undefined ? target.id : undefined} />
          <Composer
            target={target}
            draft={place}
            team={team}
            label={label}
            placeholder={placeholder}
            handle={composer}
            inviting={onEscape ? 'led' : 'opened'}
            editLast={editLast}
            alsoTo={alsoTo ? team : undefined}
            onPosted={() => {
              setAlsoTo(false);
              notePosted();
            }}
            {...(onEscape && { onEscape })}
          />
          {target.kind === 'replies' && team !== undefined && (
            <AlsoToTeam team={team} checked={alsoTo} onChange={setAlsoTo} />
          )}
        </div>
      )}
    </>
  );
}

/** Within this distance of the end, new replies are followed. */
const AT_END = 80;

function Answers(props: {
  root: Message;
  list: MessageList;
  queryKey: readonly unknown[];
  unsent: readonly Unsent[];
  marked: string | undefined;
  scroller: RefObject<HTMLDivElement | null>;
  takeBack?: (entry: Unsent) => void;
}) {
  const { root, list, queryKey, unsent, marked, scroller, takeBack } = props;
  const t = useTranslations('members.conversation');
  const common = useTranslations('common');
  const { me } = useMessageView();
  const extend = useExtend(queryKey);
  const ids = useShown(list, me.id, marked);
  const inSidebar = queryKey[1] === 'sidebar';
  const [newLine] = useState(() => firstUnread(list, me));
  const known = new Set(ids);
  const missing = marked !== undefined && !known.has(marked) && list.newer !== null;
  useEffect(() => {
    if (missing) extend.read('newer');
  }, [missing, extend]);
  usePlace({ scroller, count: ids.length + unsent.length, marked, newLine, known });
  useAnswersSeen(root, list);
  return (
    <>
      {!inSidebar && ids.length + unsent.length > 0 && (
        <h2 className={styles.section}>{t('replies', { count: ids.length + unsent.length })}</h2>
      )}
      {ids.map((id, at) => (
        <Answer key={id} id={id} before={ids[at - 1]} isNew={id === newLine} isMarked={id === marked} />
      ))}
      {list.newer !== null && (
        <div className={styles.failed}>
          <Button small busy={extend.busy} onClick={() => extend.read('newer')}>
            {common('more')}
          </Button>
        </div>
      )}
      {extend.failure}
      {unsent.map((entry, at) => (
        <UnsentAnswer
          key={entry.key}
          entry={entry}
          before={unsent[at - 1] ?? ids.at(-1)}
          {...(takeBack && { edit: takeBack })}
        />
      ))}
    </>
  );
}

/** Without deleted answers on which nothing hangs: no reaction, no sidebar, no edit that was begun. */
function useShown({ ids }: MessageList, reader: string, marked: string | undefined): readonly string[] {
  const edits = useKeptNames(nameOfEdit(reader, ''), () => true);
  const isShown = (id: string) => {
    const message = findMessage(id);
    if (!message || id === marked || !isDeleted(message)) return true;
    const { reactions, sidebars } = message;
    return reactions !== undefined || sidebars.length > 0 || edits.includes(nameOfEdit(reader, id));
  };
  // A string is the same for React as long as they are.
  const shown = useFromMessages(() => ids.filter(isShown).join());
  return useMemo(() => (shown === '' ? [] : shown.split(',')), [shown]);
}

function Answer(props: { id: string; before: string | undefined; isNew: boolean; isMarked: boolean }) {
  const { id, before, isNew, isMarked } = props;
  const t = useTranslations('members.stream');
  const message = useMessage(id);
  const grouped = useFromMessages(() => !isNew && goesOn(message, findMessage(before)));
  return (
    <div>
      {isNew && <div className={`${styles.day} ${styles.newLine}`}>{t('new')}</div>}
      <article
        className={[styles.article, !grouped && styles.begins, isMarked && styles.marked]
          .filter(Boolean)
          .join(' ')}
        data-message={id}
        tabIndex={-1}
        aria-label={nameOf(message.author)}
        {...(isMarked && { 'aria-current': true })}
      >
        <MessageBody message={message} grouped={grouped} />
      </article>
    </div>
  );
}

/** @param props.before the answer or entry above it */
function UnsentAnswer(props: {
  entry: Unsent;
  before: string | Unsent | undefined;
  edit?: (entry: Unsent) => void;
}) {
  const { entry, before, edit } = props;
  const grouped = useFromMessages(() => goesOn(asNeighbour(entry), neighbourOf(before)));
  return (
    <article className={grouped ? styles.article : `${styles.article} ${styles.begins}`}>
      <UnsentMessage entry={entry} grouped={grouped} {...(edit && { edit })} />
    </article>
  );
}

/** Sets the first scroll position, and follows new replies at the end. */
function usePlace(of: {
  scroller: RefObject<HTMLDivElement | null>;
  count: number;
  marked: string | undefined;
  newLine: string | undefined;
  known: ReadonlySet<string>;
}): void {
  const { scroller, count, marked, newLine, known } = of;
  const placed = useRef(false);
  const wasAtEnd = useRef(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      wasAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END;
    };
    onScroll();
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new answer may move it
  useLayoutEffect(() => {
    const element = scroller.current;
    const target = marked ?? newLine;
    if (!element) return;
    if (!placed.current && target !== undefined && known.has(target)) {
      placed.current = true;
      element.querySelector(`[data-message="${target}"]`)?.scrollIntoView({ block: 'center' });
    } else if (wasAtEnd.current || (placed.current && count > 0 && target === undefined)) {
      if (wasAtEnd.current) element.scrollTop = element.scrollHeight;
    }
  }, [count, marked]);
}

/** Marks a conversation as read, as far as it is loaded, while its window is looked at. */
function useAnswersSeen(root: Message, list: MessageList): void {
  const watched = useWatched();
  const unread = useFromMessages(() => list.ids.some((id) => !findMessage(id)?.read));
  useEffect(() => {
    // Marking a later message as read would mark this one, too.
    if (!watched || list.ids.some(isKeptUnread)) return;
    const last = findMessage(list.ids.at(-1));
    if (last?.sidebar !== undefined) {
      if (unread) void untilTold(() => markUpTo(last, root.id));
    } else if (list.newer === null && (!root.read || root.unread_reply || unread)) {
      void untilTold(() => markConversationRead(root));
    } else if (unread && last) {
      void untilTold(() => markUpTo(last, root.id));
    }
  }, [watched, unread, list, root]);
}
