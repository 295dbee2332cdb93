import type { Tx } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';

/** A change of a message, to which other domains react in the same transaction; joined in src/app. */
export type MessageChange =
  | {
      readonly kind: 'posted';
      readonly message: MessageRow;
      /** The message that it answers. */
      readonly root: MessageRow | undefined;
      /** Everybody who takes part in its sidebar, the author too. */
      readonly sidebarUsers: readonly string[] | undefined;
    }
  /** Its text was edited, it was deleted, or its replies or high fives are counted again. */
  | { readonly kind: 'edited' | 'deleted' | 'counted'; readonly message: MessageRow }
  /** One user's own state of it: read, unread, muted. */
  | { readonly kind: 'state'; readonly userId: string; readonly messageId: string }
  | { readonly kind: 'team_read'; readonly userId: string; readonly teamId: string }
  | { readonly kind: 'all_read'; readonly userId: string }
  /** A private conversation has begun; what was said first comes by itself. */
  | { readonly kind: 'sidebar'; readonly sidebarId: string; readonly sidebarUsers: readonly string[] };

export type MessageListener = (tx: Tx, change: MessageChange) => Promise<void>;
