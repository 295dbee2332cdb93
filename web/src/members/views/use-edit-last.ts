import { useCallback, useEffect, useState } from 'react';
import type { MessageList } from '../state/message-list.ts';
import { lastOwn } from '../state/messages.ts';
import type { Unsent } from '../state/outbox.ts';
import { useMessageView } from '../state/view-context.tsx';

/**
 * Edits the reader's last message of a list. While one is being sent, that one is meant: editing begins once it is there.
 */
export function useEditLast(list: MessageList | undefined, unsent: readonly Unsent[]): () => void {
  const { me, setEditing } = useMessageView();
  const [isWanted, setWanted] = useState(false);
  const isSending = unsent.some(({ refused }) => refused === undefined);
  useEffect(() => {
    if (!isWanted || !isSending) return;
    // The next key says that the reader goes on without it.
    const goOn = () => setWanted(false);
    addEventListener('keydown', goOn, true);
    return () => removeEventListener('keydown', goOn, true);
  }, [isWanted, isSending]);
  useEffect(() => {
    if (!isWanted || isSending) return;
    setWanted(false);
    const own = lastOwn(list, me);
    if (own !== undefined) setEditing(own);
  }, [isWanted, isSending, list, me, setEditing]);
  return useCallback(() => setWanted(true), []);
}
