import type { Tx } from '#platform/db/index.ts';
import type { MessageRow, SubjectRow } from '#schema';

/** What happened to a subject. */
export type SubjectStep = 'created' | 'renamed' | 'closed' | 'reopened';

/** A change of a message, to which other domains react in the same transaction; joined in src/app. */
export type MessageChange =
  | {
      readonly kind: 'posted';
      readonly message: MessageRow;
      /** The author and the addressees of a direct conversation. */
      readonly people?: readonly string[] | undefined;
      /** By which the windows of its author know it. */
      readonly key?: string | undefined;
      readonly byItself: boolean;
    }
  /** Its text was edited, which made this version; the one that was posted is 1. */
  | {
      readonly kind: 'edited';
      readonly message: MessageRow;
      readonly version: number;
      /** By a token, in its author's name or not. */
      readonly byProgram: boolean;
      readonly byItself: boolean;
    }
  /** `byItself`, as in the others: by an application, and not in the name of a person. */
  | { readonly kind: 'deleted'; readonly message: MessageRow; readonly byItself: boolean }
  /** Its replies or reactions are counted again. */
  | {
      readonly kind: 'counted';
      readonly message: MessageRow;
      readonly reaction?: { readonly userId: string; readonly emoji: string; readonly isGiven: boolean };
    }
  /** The cards of its links are others, or a picture of its blocks has come. */
  | { readonly kind: 'unfurled'; readonly message: MessageRow }
  /** Its conversation is about something else. */
  | { readonly kind: 'moved'; readonly message: MessageRow }
  | {
      readonly kind: 'subject';
      readonly change: SubjectStep;
      readonly row: SubjectRow;
      readonly userId: string;
    }
  /** Its team has it pinned, or not any more. */
  | {
      readonly kind: 'pinned';
      readonly message: MessageRow;
      readonly userId: string;
      readonly isPinned: boolean;
    }
  /** A user reacted to it. */
  | { readonly kind: 'reacted'; readonly message: MessageRow; readonly userId: string }
  /** One user's own state of it: read, unread, muted, saved. */
  | {
      readonly kind: 'state';
      readonly userId: string;
      readonly messageId: string;
      /** Where the user marked it as read or unread. */
      readonly marked?: {
        readonly as: 'read' | 'unread';
        readonly message: Pick<MessageRow, 'id' | 'root_id' | 'sidebar_id' | 'team_id'>;
      };
    }
  /** The team, or one of its subjects. */
  | { readonly kind: 'team_read'; readonly userId: string; readonly teamId: string }
  /** A reader has undone `team_read`. */
  | { readonly kind: 'team_unread'; readonly userId: string; readonly teamId: string }
  | { readonly kind: 'all_read'; readonly userId: string }
  /** A private conversation has begun; what was said first comes by itself. */
  | { readonly kind: 'sidebar'; readonly sidebarId: string; readonly sidebarUsers: readonly string[] };

export type MessageListener = (tx: Tx, change: MessageChange) => Promise<void>;
