import { createContext, useContext } from 'react';
import type { Message, SessionUser } from '../../api/types.ts';

/** What the messages of a view have in common. */
export interface MessageView {
  readonly me: SessionUser;
  /** Whether the reader may delete what others wrote in a team. */
  isAdmin(team: string | undefined): boolean;
  /** Opens the conversation beside; with `write`, ready to answer. */
  open(message: Message, write?: boolean): void;
  /** The message that is being edited. */
  readonly editing: string | undefined;
  setEditing(id: string): void;
  /** Ends that, unless another one is being edited by now. */
  endEditing(id: string): void;
  /** What failed last, and at which message. */
  readonly failure: { readonly id: string; readonly text: string } | undefined;
  /** Does something with a message; when it fails, that is shown there. */
  run(message: Message, work: () => Promise<unknown>): void;
}

const Context = createContext<MessageView | undefined>(undefined);
export const MessageViewProvider = Context.Provider;

export function useMessageView(): MessageView {
  const view = useContext(Context);
  if (!view) throw new Error('a message stands outside of a view');
  return view;
}
