import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message, Sidebar } from '../../api/types.ts';
import { useTitle } from '../../design/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { ViewHead } from '../../design/view.tsx';
import type { ComposerHandle } from '../compose/composer.tsx';
import { watchChosen } from '../state/chosen.ts';
import { messageQuery } from '../state/lists.ts';
import { sidebarQuery } from '../state/message-queries.ts';
import { useMessage } from '../state/messages.ts';
import { releaseUnread } from '../state/reading.ts';
import { MessageViewProvider } from '../state/view-context.tsx';
import { ConversationBody } from './conversation.tsx';
import styles from './frame.module.css';
import { useMessageKeys } from './keys.ts';
import { LeftConversation } from './left-texts.tsx';
import { useView } from './use-view.ts';

/** One conversation as a page, as links in mails open it. A reply opens its conversation at the reply. */
export function Permalink() {
  const { message: id } = useParams({ from: '/signed-in/messages/$message' });
  const query = useQuery(messageQuery(id));
  const loaded = <Loaded query={query}>{() => <Linked key={id} id={id} />}</Loaded>;
  return query.error ? <LeftConversation id={id}>{loaded}</LeftConversation> : loaded;
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
  const { sidebar: wanted } = useSearch({ from: '/signed-in/messages/$message' });
  const [part, setPart] = useState({ of: root, sidebar: message.sidebar ?? wanted });
  const view = useView((_, write = false, sidebar) => {
    writing.current = write;
    if (sidebar !== undefined) setPart({ of: root, sidebar });
    if (write) composer.current?.focus();
  });
  useMessageKeys(view, mover);
  useEffect(watchChosen, []);
  return (
    <MessageViewProvider value={view}>
      <div className={`${styles.panel} ${styles.alone}`} data-conversation data-scope>
        <ViewHead title={t('title')} />
        <ConversationBody
          id={root}
          composer={composer}
          writing={writing}
          {...(root !== message.id && { marked: message.id })}
          part={part}
        />
      </div>
    </MessageViewProvider>
  );
}
