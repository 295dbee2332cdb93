import { type RefObject, useRef } from 'react';
import type { Message } from '../../api/types.ts';
import { putReference } from '../compose/put-reference.ts';
import { addToDraft } from '../state/drafts.ts';
import { addressOf, type Passage } from '../state/references.ts';
import { useMessageView } from '../state/view-context.tsx';
import { selectedIn } from './selected-passage.ts';

/**
 * Puts a reference to a message, or to what is selected of it, into the field beside it; without one, into that of its
 * conversation, which is opened.
 * @param button of its menu. Pressing it may end the selection, so that is noted before
 */
export function useQuote(message: Message, button: RefObject<Element | null>) {
  const view = useMessageView();
  const selected = useRef<Passage>(undefined);
  return {
    /** @param isNew whether what was noted before is of no use any more */
    note(isNew = false): void {
      if (isNew) selected.current = undefined;
      selected.current ??= selectedIn(button.current?.closest('article'), message);
    },
    forget(): void {
      selected.current = undefined;
    },
    quote(passage = selected.current): void {
      const address = addressOf(message, passage);
      if (button.current && putReference(button.current, address)) return;
      addToDraft(view.me.id, `replies.${message.reply_to ?? message.id}`, address);
      view.open(message, true);
    },
  };
}
