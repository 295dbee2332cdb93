import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { Message } from '../../api/types.ts';
import { giveFocus } from '../../design/hands.ts';
import type { ComposerHandle } from '../compose/composer.tsx';
import { choose, chosenMessage, watchChosen } from '../state/chosen.ts';
import { releaseUnread } from '../state/reading.ts';
import { MessageViewProvider } from '../state/view-context.tsx';
import { Conversation, type Part } from './conversation.tsx';
import styles from './frame.module.css';
import { useMessageKeys } from './keys.ts';
import type { Mover } from './mover.ts';
import { useView } from './use-view.ts';

/**
 * A list of messages, and the open conversation beside it, or over it on a narrow screen.
 * @param props.openId the open conversation, from the URL
 */
export function MessagesFrame(props: {
  openId: string | undefined;
  /** The reply at which it is opened. */
  replyId?: string | undefined;
  mover: RefObject<Mover | null>;
  children: ReactNode;
}) {
  const { openId, replyId, mover, children } = props;
  const navigate = useNavigate();
  const reply = useRef<ComposerHandle>(null);
  const writing = useRef(false);
  /** Whether its reader goes on with keys when it is closed. */
  const wasChosen = useRef(false);
  const show = (id: string | undefined) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, open: id, reply: undefined }) as never,
    });
  const [part, setPart] = useState<Part>();
  const open = (message: Message, write = false, sidebar?: string) => {
    const id = message.reply_to ?? message.id;
    writing.current = write;
    wasChosen.current = chosenMessage() === message.id;
    setPart({ of: id, sidebar: sidebar ?? (write ? undefined : sidebarWithNews(message)) });
    if (id !== openId) show(id);
    else if (write) reply.current?.focus();
  };
  const view = useView(open);
  useMessageKeys(view, mover);
  useEffect(() => releaseUnread, []);
  useEffect(watchChosen, []);
  const close = () => {
    const focus = wasChosen.current ? choose : giveFocus;
    if (openId !== undefined && !mover.current?.back(openId, focus)) mover.current?.enter();
    show(undefined);
  };
  return (
    <MessageViewProvider value={view}>
      <div className={`${styles.frame} ${openId === undefined ? '' : styles.withPanel}`}>
        <div className={styles.list} data-scope>
          {children}
        </div>
        {openId !== undefined && (
          <Conversation
            key={openId}
            id={openId}
            onClose={close}
            composer={reply}
            writing={writing}
            part={part?.of === openId ? part : undefined}
            marked={replyId}
          />
        )}
      </div>
    </MessageViewProvider>
  );
}

/** The sidebar with unread messages, if nothing else of the conversation is unread. */
function sidebarWithNews({ read, unread_reply, sidebars }: Message): string | undefined {
  return read && !unread_reply ? sidebars.find(({ unread }) => unread > 0)?.id : undefined;
}
