import { createContext, useContext } from 'react';
import type { Block, Message } from '../../api/types.ts';
import type { Act } from './acting.ts';
import type { Surface } from './surface.ts';

/** What the blocks of a surface share. */
export interface BlocksView {
  readonly surface: Surface;
  /** Of a message, or as if it were one. */
  readonly message: Pick<Message, 'mentions' | 'via_app' | 'addressed_teams'>;
  readonly application: { readonly id: string; readonly name: string; readonly icon: string };
  readonly blocks: readonly Block[];
  /** Of this server, by the addresses that the application gave. */
  readonly pictures: Message['pictures'];
  /** In a form: what is wrong, by the ids of blocks. */
  readonly faults?: Readonly<Record<string, string>> | undefined;
  /** Missing where nothing can be pressed. */
  readonly act?: ((act: Act) => void) | undefined;
}

const Context = createContext<BlocksView | undefined>(undefined);
export const BlocksViewProvider = Context.Provider;

export function useBlocks(): BlocksView {
  const view = useContext(Context);
  if (!view) throw new Error('a block stands outside of a surface');
  return view;
}

/** The `block_id` of the block around an element. */
const BlockId = createContext('');
export const BlockIdProvider = BlockId.Provider;
export const useBlockId = (): string => useContext(BlockId);
