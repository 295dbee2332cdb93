import { Link } from '@tanstack/react-router';
import { BellOff, Bookmark, type LucideIcon, MessageSquare, MessagesSquare, Pin } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { ApplicationIcon, Avatar } from '../../design/avatar.tsx';
import { ApplicationMark, nameOf } from '../../design/person.tsx';
import { Time } from '../../design/time.tsx';
import { WhereaboutsSign } from '../../design/whereabouts-sign.tsx';
import { Blocks } from '../blocks/on-demand.tsx';
import { EditForm, UnsavedEdit } from '../compose/edit-form.tsx';
import { LeftText } from '../compose/left-text.tsx';
import { nameOfEdit } from '../state/drafts.ts';
import { isDeleted, isEdited } from '../state/message-list.ts';
import { mutableOf, useMute } from '../state/mutes.ts';
import { useOnline } from '../state/presence.ts';
import { useMessageView } from '../state/view-context.tsx';
import { MessageText } from '../text/message-text.tsx';
import { AskedAt } from './asked-at.tsx';
import { Attachments } from './attachments.tsx';
import { EphemeralAnswers } from './ephemeral-answers.tsx';
import { areLong, FoldedText, isLong } from './folded-text.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import styles from './message.module.css';
import { MessageActions } from './message-actions.tsx';
import { useUntil } from './mute-items.tsx';
import { Quotes } from './quotes.tsx';
import { Reactions } from './reactions.tsx';
import { Unfurls } from './unfurls.tsx';
import { type Point, useLongPress } from './use-long-press.ts';

/**
 * A message as it stands in a stream, a list or a conversation.
 * @param props.grouped whether it continues the previous message of its author
 * @param props.counts whether to show the number of replies; not where the replies stand below
 */
export const MessageBody = memo(function MessageBody(props: {
  message: Message;
  grouped?: boolean;
  counts?: boolean;
  /** Beside the author's name. */
  where?: ReactNode;
  /** Shows the beginning alone. */
  cut?: boolean;
  /** Folds a long text. */
  folds?: boolean;
}) {
  const { message, grouped = false, counts = true, where, cut = false, folds = false } = props;
  const { me, editing, failure } = useMessageView();
  const deleted = isDeleted(message);
  const [pressed, setPressed] = useState<Point>();
  const longPress = useLongPress(setPressed);
  return (
    <div className={`${styles.message} ${grouped ? styles.grouped : ''}`} {...longPress}>
      {grouped ? (
        <span className={styles.gutter}>
          <span className={styles.hoverTime}>
            <Time at={message.created_at} style="time" />
          </span>
          <Marks message={message} />
        </span>
      ) : (
        <Face message={message} />
      )}
      <div className={styles.content}>
        {grouped ? (
          <span className="visually-hidden">{nameOf(message.author)}</span>
        ) : (
          <Head message={message} where={where} dated={where !== undefined || !counts} />
        )}
        {deleted ? (
          <Gone message={message} />
        ) : editing === message.id ? (
          <EditForm message={message} />
        ) : (
          <div className={cut ? styles.cut : undefined}>
            <Said message={message} folds={folds} />
            {message.author.id === me.id && <UnsavedEdit message={message} />}
          </div>
        )}
        <AskedAt place={message.id} leave={(from) => from.closest('article')?.focus()} />
        <Foot message={message} counts={counts} />
        {failure?.id === message.id && (
          <p role="alert" className={styles.error}>
            {failure.text}
          </p>
        )}
      </div>
      <MessageActions message={message} pressed={pressed} onClosed={() => setPressed(undefined)} />
    </div>
  );
});

function Face({ message }: { message: Message }) {
  const { author, via_app } = message;
  if (!author.is_application) return <PersonFace author={author} />;
  return (
    <span className={styles.face}>
      {via_app ? <ApplicationIcon application={via_app} /> : <Avatar person={author} />}
    </span>
  );
}

function PersonFace({ author }: { author: Message['author'] }) {
  const online = useOnline(author);
  // The name beside it is the same link.
  return (
    <Link
      to="/people/$user"
      params={{ user: author.id }}
      className={styles.face as string}
      tabIndex={-1}
      aria-hidden
    >
      <Avatar person={{ ...author, online }} presence />
    </Link>
  );
}

/** @param props.dated whether no line above it says the day */
function Head(props: { message: Message; where: ReactNode; dated: boolean }) {
  const { message, where, dated } = props;
  const t = useTranslations('members.message');
  const common = useTranslations('common');
  const { author, via_app } = message;
  const online = useOnline(author);
  return (
    <p className={styles.head}>
      {author.is_application ? (
        <span className={styles.name}>
          <bdi>{nameOf(author)}</bdi>
        </span>
      ) : (
        <Link to="/people/$user" params={{ user: author.id }} className={styles.author as string} data-author>
          <bdi>{nameOf(author)}</bdi>
        </Link>
      )}
      <ApplicationMark author={author} />
      <WhereaboutsSign person={author} />
      {online && <span className="visually-hidden">({common('online')})</span>}
      {via_app && !author.is_application && (
        <span className={styles.via}>
          <ApplicationIcon application={via_app} size="tiny" />
          {t('via', { application: via_app.name })}
        </span>
      )}
      {where}
      <span className={styles.time}>
        <Time at={message.created_at} style={dated ? 'short' : 'time'} /> <Marks message={message} />
      </span>
    </p>
  );
}

/** Whether it is muted, pinned, saved. */
function Marks({ message }: { message: Message }) {
  const t = useTranslations('members.message');
  const { muted, pinned, saved } = message;
  if (!muted && !pinned && !saved) return null;
  return (
    <span className={styles.marks}>
      {pinned && <Mark icon={Pin} text={t('isPinned')} />}
      {saved && <Mark icon={Bookmark} text={t('isSaved')} />}
      {muted && <Muted message={message} />}
    </span>
  );
}

function Mark({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <span title={text}>
      <Icon size={14} aria-hidden />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

function Muted({ message }: { message: Message }) {
  const untilText = useUntil();
  return <Mark icon={BellOff} text={untilText(useMute(mutableOf(message))?.until)} />;
}

function Gone({ message }: { message: Message }) {
  const t = useTranslations('members.message');
  const left = useTranslations('members.left');
  const { me } = useMessageView();
  return (
    <>
      <p className={styles.gone}>{t('deleted')}</p>
      <LeftText name={nameOfEdit(me.id, message.id)}>{left('edit')}</LeftText>
    </>
  );
}

function Said({ message, folds }: { message: Message; folds: boolean }) {
  const t = useTranslations('members.message');
  const [history, setHistory] = useState(false);
  const { text, blocks } = message;
  const shown = blocks ? (
    <Blocks message={message} blocks={blocks} />
  ) : (
    <MessageText text={text} message={message} />
  );
  return (
    <>
      {(text !== '' || blocks) &&
        (folds ? (
          <FoldedText id={message.id} isLong={blocks ? areLong(blocks) : isLong(text)}>
            {shown}
          </FoldedText>
        ) : (
          shown
        ))}
      {isEdited(message) && (
        <button type="button" className={styles.edited} onClick={() => setHistory(true)}>
          {t('edited')}
        </button>
      )}
      {history && <HistoryDialog message={message} onClose={() => setHistory(false)} />}
      <Attachments items={message.attachments} />
      <Quotes text={text} />
      {message.unfurls && <Unfurls message={message} unfurls={message.unfurls} />}
      <EphemeralAnswers message={message} />
    </>
  );
}

/** The sidebar that the number of sidebars opens: one with unread messages, else the latest. */
const newsOrLast = (sidebars: Message['sidebars']) =>
  (sidebars.find(({ unread }) => unread > 0) ?? sidebars.at(-1))?.id;

/** Its reactions, replies and sidebars, and which of them are new. */
function Foot({ message, counts }: { message: Message; counts: boolean }) {
  const t = useTranslations('members.message');
  const view = useMessageView();
  const { num_replies: replies, reactions = [], sidebars } = message;
  const showsReplies = counts && replies > 0;
  const showsSidebars = counts && sidebars.length > 0;
  if (reactions.length === 0 && !showsReplies && !showsSidebars) return null;
  return (
    <div className={styles.foot}>
      <Reactions message={message} />
      {showsReplies && (
        <button
          type="button"
          className={`${styles.chip} ${message.unread_reply ? styles.new : ''}`}
          onClick={() => view.open(message)}
        >
          <MessageSquare size={14} aria-hidden />
          {t('replies', { count: replies })}
          {message.unread_reply && <span className={styles.newMark}>{t('new')}</span>}
        </button>
      )}
      {showsSidebars && (
        <button
          type="button"
          className={`${styles.chip} ${message.unread_sidebar ? styles.new : ''}`}
          onClick={() => view.open(message, true, newsOrLast(sidebars))}
        >
          <MessagesSquare size={14} aria-hidden />
          {t('sidebars', { count: sidebars.length })}
          {message.unread_sidebar && <span className={styles.newMark}>{t('new')}</span>}
        </button>
      )}
    </div>
  );
}
