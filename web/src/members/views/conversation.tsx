import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Lock, MessageSquare, X } from 'lucide-react';
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { applicationKey } from '../../api/application-key.ts';
import type { Message, Sidebar } from '../../api/types.ts';
import { IconButton } from '../../design/button.tsx';
import { isLedToWrite } from '../../design/hands.ts';
import { nameOf } from '../../design/person.tsx';
import { Loaded } from '../../design/states.tsx';
import { useMedia } from '../../design/use-media.ts';
import { ViewHead } from '../../design/view.tsx';
import { useShortcuts } from '../../shell/shortcuts.ts';
import type { ComposerHandle } from '../compose/composer.tsx';
import { MessageBody } from '../message/message-body.tsx';
import { Names, useNames } from '../message/person-names.tsx';
import { Where } from '../message/where.tsx';
import { conversationQuery } from '../state/direct.ts';
import { answersQuery, messageQuery } from '../state/lists.ts';
import { isDeleted } from '../state/message-list.ts';
import { findMessage, useFromMessages, useMessage } from '../state/messages.ts';
import { useRefused } from '../state/outbox.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './frame.module.css';
import { LeftConversation } from './left-texts.tsx';
import { Thread } from './thread.tsx';

/** The part of a conversation that was opened: a sidebar, or the replies. Another object opens it again. */
export interface Part {
  /** The message. */
  readonly of: string;
  readonly sidebar: string | undefined;
}

/** Where it covers the list, whose title is the page's otherwise (frame.module.css). */
const COVERS = '(max-width: 68rem)';

/** A message with its replies and sidebars, beside a list. */
export function Conversation(props: {
  id: string;
  part: Part | undefined;
  onClose: () => void;
  composer: RefObject<ComposerHandle | null>;
  /** Whether it was opened to write a reply. */
  writing: RefObject<boolean>;
  marked: string | undefined;
}) {
  const { id, part, onClose, composer, writing, marked } = props;
  const t = useTranslations('members.conversation');
  const common = useTranslations('common');
  const heading = useRef<HTMLHeadingElement>(null);
  useShortcuts(t('group'), { Escape: { label: t('close'), run: onClose } });
  useEffect(() => {
    if (!writing.current && !isLedToWrite()) heading.current?.focus();
  }, [writing]);
  return (
    <section className={styles.panel} aria-label={t('title')} data-conversation data-scope>
      <ViewHead
        title={t('thread')}
        beside={!useMedia(COVERS)}
        heading={heading}
        about={<Place id={id} />}
        icon={
          <IconButton label={common('close')} className={styles.back} onClick={onClose}>
            <ArrowLeft size={18} aria-hidden />
          </IconButton>
        }
      >
        <IconButton label={common('close')} className={styles.close} onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </ViewHead>
      <ConversationBody {...{ id, part, composer, writing, marked }} onEscape={onClose} />
    </section>
  );
}

/** Where the message is, once it is loaded. */
function Place({ id }: { id: string }) {
  const message = useFromMessages(() => findMessage(id));
  return message && <Where message={message} />;
}

/**
 * @param props.marked the reply or sidebar message that the URL names
 * @param props.part the part to show
 */
export function ConversationBody(props: {
  id: string;
  composer: RefObject<ComposerHandle | null>;
  writing: RefObject<boolean>;
  marked?: string | undefined;
  part?: Part | undefined;
  onEscape?: () => void;
}) {
  const query = useQuery(messageQuery(props.id));
  const loaded = <Loaded query={query}>{() => <Parts {...props} />}</Loaded>;
  return query.error ? <LeftConversation id={props.id}>{loaded}</LeftConversation> : loaded;
}

function Parts(props: Parameters<typeof ConversationBody>[0]) {
  const { id, composer, writing, marked, part, onEscape } = props;
  const t = useTranslations('members.conversation');
  const message = useMessage(id);
  const refused = useRefused().find(
    ({ target }) => target.kind === 'sidebar' && target.message === message.id,
  );
  // The link at "not sent" leads here.
  const [sidebarId, setSidebar] = useState(
    refused?.target.kind === 'sidebar' ? refused.target.id : part?.sidebar,
  );
  const shown = useRef(part);
  useEffect(() => {
    if (part && part !== shown.current) setSidebar(part.sidebar);
    shown.current = part;
  }, [part]);
  const isClosed = useClosed(message);
  const sidebar = message.sidebars.find(({ id }) => id === sidebarId);
  const root = (
    <article
      className={`${styles.article} ${styles.root}`}
      data-message={message.id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys work on the message that has the focus
      tabIndex={0}
      aria-label={nameOf(message.author)}
    >
      <MessageBody
        message={message}
        counts={false}
        where={onEscape ? undefined : <Where message={message} />}
      />
    </article>
  );
  const above: ReactNode = (
    <>
      {root}
      {message.sidebars.length > 0 && <Switcher message={message} chosen={sidebar?.id} choose={setSidebar} />}
      {sidebar && <PrivateNote sidebar={sidebar} />}
    </>
  );
  const common = { root: message, above, composer, writing, marked, onEscape };
  if (sidebar) {
    return <Private key={sidebar.id} {...common} sidebar={sidebar} />;
  }
  return (
    <Thread
      key="replies"
      {...common}
      query={answersQuery('replies', message.id)}
      target={{ kind: 'replies', id: message.id }}
      closed={isDeleted(message) || isClosed}
      label={t('writeReply')}
    />
  );
}

/** Whether nothing can be added, since an application does not hear it any more. */
function useClosed({ team, addressed_application: application }: Message): boolean {
  const key =
    team !== undefined && application !== undefined ? applicationKey({ team, application }) : undefined;
  const { data } = useQuery({ ...conversationQuery(key ?? ''), enabled: key !== undefined });
  return data?.application?.obstacle !== undefined;
}

/** A sidebar's messages. The field says who reads them. */
function Private(
  props: Omit<ComponentProps<typeof Thread>, 'query' | 'target' | 'label'> & { sidebar: Sidebar },
) {
  const { sidebar, ...rest } = props;
  const t = useTranslations('members.conversation');
  const { me } = useMessageView();
  const people = useNames(sidebar.users);
  const alone = sidebar.users.every((id) => id === me.id);
  return (
    <Thread
      {...rest}
      query={answersQuery('sidebar', sidebar.id)}
      target={{ kind: 'sidebar', id: sidebar.id, message: sidebar.message }}
      label={t('writeSidebar')}
      placeholder={alone ? t('writeSidebar') : t('onlyThey', { people })}
    />
  );
}

/** Tabs for the public replies and the private sidebars. */
function Switcher(props: {
  message: Message;
  chosen: string | undefined;
  choose: (sidebar: string | undefined) => void;
}) {
  const { message, chosen, choose } = props;
  const t = useTranslations('members.conversation');
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no part of a form
    <div className={styles.tabs} role="group" aria-label={t('parts')}>
      <button
        type="button"
        className={styles.tab}
        aria-pressed={chosen === undefined}
        onClick={() => choose(undefined)}
      >
        <MessageSquare size={14} aria-hidden />
        {t('replies', { count: message.num_replies })}
      </button>
      {message.sidebars.map((sidebar) => (
        <button
          key={sidebar.id}
          type="button"
          className={styles.tab}
          aria-pressed={chosen === sidebar.id}
          onClick={() => choose(sidebar.id)}
        >
          <Lock size={14} aria-hidden />
          <Names ids={sidebar.users} />
          {sidebar.unread > 0 && (
            <span className={styles.count}>{t('unread', { count: sidebar.unread })}</span>
          )}
        </button>
      ))}
    </div>
  );
}

function PrivateNote({ sidebar }: { sidebar: Sidebar }) {
  const t = useTranslations('members.conversation');
  return (
    <p className={styles.private}>
      <Lock size={14} aria-hidden />
      <span>{t.rich('private', { people: () => <Names ids={sidebar.users} /> })}</span>
    </p>
  );
}
