import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Message, Sidebar } from '../../api/types.ts';
import { useTitle } from '../../design/page.tsx';
import { Loaded } from '../../design/states.tsx';
import type { ComposerHandle } from '../compose/composer.tsx';
import { messageQuery } from '../state/lists.ts';
import { sidebarQuery } from '../state/message-queries.ts';
import { useMessage } from '../state/messages.ts';
import { releaseUnread } from '../state/reading.ts';
import { MessageViewProvider } from '../state/view-context.tsx';
import { ConversationBody } from './conversation.tsx';
import styles from './frame.module.css';
import { useMessageKeys } from './keys.ts';
import { useView } from './messages-frame.tsx';

/** One conversation as a page, as links in mails open it. A reply opens its conversation at the reply. */
export function Permalink() {
  const { message: id } = useParams({ from: '/signed-in/messages/$message' });
  const query = useQuery(messageQuery(id));
  return <Loaded query={query}>{() => <Linked key={id} id={id} />}</Loaded>;
}

function Linked({ id }: { id: string }) {
  const message = useMessage(id);
  if (message.sidebar !== undefined) return <InSidebar sidebar={message.sidebar} message={message} />;
  return <Alone root={message.reply_to ?? id} message={message} />;
}

function InSidebar({ sidebar, message }: { sidebar: string; message: Message }) {
  const query = useQuery(sidebarQuery(sidebar));
  return <Loaded query={query}>{(it: Sidebar) => <Alone root={it.message} message={message} />}</Loaded>;
}

function Alone({ root, message }: { root: string; message: Message }) {
  const t = useTranslations('members.conversation');
  useTitle(t('title'));
  const composer = useRef<ComposerHandle>(null);
  const writing = useRef(false);
  const mover = useRef(null);
  useEffect(() => releaseUnread, []);
  const view = useView((_, write) => write && composer.current?.focus());
  useMessageKeys(view, mover);
  return (
    <MessageViewProvider value={view}>
      <div className={`${styles.panel} ${styles.alone}`} data-conversation>
        <header className={styles.header}>
          <h1>{t('title')}</h1>
        </header>
        <ConversationBody
          id={root}
          composer={composer}
          writing={writing}
          {...(root !== message.id && { marked: message.id })}
          {...(message.sidebar !== undefined && { sidebar: message.sidebar })}
        />
      </div>
    </MessageViewProvider>
  );
}
