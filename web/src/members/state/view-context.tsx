import { createContext, useContext } from 'react';
import type { Message, SessionUser } from '../../api/types.ts';

interface Failure {
  /** Of the message. */
  readonly id: string;
  readonly text: string;
  /** Whether it has passed once the server can be reached again. */
  readonly passes: boolean;
}

/** The state that the messages of a view share. */
export interface MessageView {
  readonly me: SessionUser;
  /** Whether the reader may delete what others wrote in a team. */
  isAdmin(team: string | undefined): boolean;
  /** Opens the conversation, or one of its sidebars; with `write`, the composer gets the focus. */
  open(message: Message, write?: boolean, sidebar?: string): void;
  /** The message that is being edited. */
  readonly editing: string | undefined;
  setEditing(id: string): void;
  /** Ends editing, unless another message is being edited by now. */
  endEditing(id: string): void;
  /** The last failed action, and its message. */
  readonly failure: Failure | undefined;
  /** Runs an action on a message, and shows its failure there. */
  run(message: Pick<Message, 'id'>, work: () => Promise<unknown>): void;
}

const Context = createContext<MessageView | undefined>(undefined);
export const MessageViewProvider = Context.Provider;

export function useMessageView(): MessageView {
  const view = useContext(Context);
  if (!view) throw new Error('a message stands outside of a view');
  return view;
}
