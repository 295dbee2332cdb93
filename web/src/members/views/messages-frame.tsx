import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { membershipsQuery, meQuery } from '../../api/queries.ts';
import { ADMIN, type Message, type SessionUser } from '../../api/types.ts';
import { useFailureText } from '../../text/failure.ts';
import type { ComposerHandle } from '../compose/composer.tsx';
import { releaseUnread } from '../state/reading.ts';
import { type MessageView, MessageViewProvider } from '../state/view-context.tsx';
import { Conversation } from './conversation.tsx';
import styles from './frame.module.css';
import { useMessageKeys } from './keys.ts';
import type { Mover } from './mover.ts';

/**
 * A list of messages, and the open conversation beside it, or over it on a narrow screen.
 * @param props.openId the open conversation, from the URL
 */
export function MessagesFrame(props: {
  openId: string | undefined;
  mover: RefObject<Mover | null>;
  children: ReactNode;
}) {
  const { openId, mover, children } = props;
  const navigate = useNavigate();
  const reply = useRef<ComposerHandle>(null);
  const writing = useRef(false);
  const show = (id: string | undefined) =>
    void navigate({ to: '.', search: (now: Record<string, unknown>) => ({ ...now, open: id }) as never });
  const open = (message: Message, write = false) => {
    const id = message.reply_to ?? message.id;
    writing.current = write;
    if (id !== openId) show(id);
    else if (write) reply.current?.focus();
  };
  const view = useView(open);
  useMessageKeys(view, mover);
  useEffect(() => releaseUnread, []);
  const close = () => {
    show(undefined);
    focusMessage(openId);
  };
  return (
    <MessageViewProvider value={view}>
      <div className={`${styles.frame} ${openId === undefined ? '' : styles.withPanel}`}>
        <div className={styles.list}>{children}</div>
        {openId !== undefined && (
          <Conversation key={openId} id={openId} onClose={close} composer={reply} writing={writing} />
        )}
      </div>
    </MessageViewProvider>
  );
}

/** Returns the focus to the message whose conversation was open. */
function focusMessage(id: string | undefined): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-message="${id}"]`)?.focus());
}

export function useView(open: MessageView['open']): MessageView {
  const { data: me } = useSuspenseQuery(meQuery);
  const { data: memberships } = useQuery(membershipsQuery);
  const failureText = useFailureText();
  const [editing, setEditing] = useState<string>();
  const [failure, setFailure] = useState<MessageView['failure']>();
  const latest = useRef({ open, failureText });
  latest.current = { open, failureText };
  return useMemo(() => {
    const admins = new Set(
      memberships?.filter((one) => one.membership_type === ADMIN).map(({ team }) => team.id),
    );
    return {
      me: me as SessionUser,
      isAdmin: (team) => team !== undefined && admins.has(team),
      open: (message, write) => latest.current.open(message, write),
      editing,
      setEditing,
      endEditing: (id) => setEditing((now) => (now === id ? undefined : now)),
      failure,
      run: (message, work) => {
        setFailure(undefined);
        work().catch((error: unknown) =>
          setFailure({ id: message.id, text: latest.current.failureText(error) }),
        );
      },
    };
  }, [me, memberships, editing, failure]);
}
