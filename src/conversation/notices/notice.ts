import type { Tx } from '#platform/db/index.ts';
import type { Posted, Reachable } from './notice.store.ts';

/** Why a message concerns a person: they are in its team, it calls them by name, it is addressed to them, … */
export type NoticeReason =
  | 'mention'
  | 'direct'
  /** It answers a message of theirs. */
  | 'reply'
  /** It answers a message that they answered too. */
  | 'followed'
  | 'sidebar'
  /** It is theirs, and was given a high five. */
  | 'reaction'
  /** It is a note to themselves that they had scheduled. */
  | 'reminder'
  /** It opens a conversation in a team of theirs. */
  | 'team';

/** One person and one message that concerns them. */
export interface Notice {
  readonly user: Pick<Reachable, 'id' | 'prefs_json'>;
  readonly message: Posted;
  /** The most particular first. */
  readonly reasons: readonly [NoticeReason, ...NoticeReason[]];
  /** Whether they muted the conversation or its team: then only a mention comes through. */
  readonly isMuted: boolean;
}

/** Reacts to whom messages concern. */
export interface NoticeListener {
  /** Where it wants notices with the reason `team`, too: for members who asked for every message of a team. */
  readonly ofTeams?: {
    /** It is asked at each post, so it answers from memory. Plain messages write no job while no listener wants them. */
    readonly wants: (teamId: string) => boolean;
    /** A page of these members alone, in the order of ids: a team is never gone through for one message. */
    readonly list: (
      tx: Tx,
      page: { readonly teamId: string; readonly after: string; readonly limit: number },
    ) => Promise<readonly string[]>;
  };
  /** Runs in the transaction that keeps how far the work has come: each notice is handed out once. */
  readonly onNoticed: (tx: Tx, notices: readonly Notice[]) => Promise<void>;
}
