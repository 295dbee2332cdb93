import type { UserSummary } from './users.ts';

/** A space for messages, with members (part 2.5 of the interface). */
export interface Team {
  id: string;
  name: string;
  color: string;
  icon: string;
  num_members: number;
  unread_count: number;
  active: boolean;
  /** Unix seconds, with a fraction. */
  created_at: number;
  /** Unix seconds, with a fraction. */
  updated_at: number;
}

/** One user in one team (part 2.5). */
export interface Membership {
  /** 1 is an admin, 2 a member. */
  membership_type: number;
  /** 0 or 1. */
  is_muted: number;
  /** 0 or 1. */
  is_favorite: number;
  /** Whole Unix seconds. */
  created_at: number;
  /** Whole Unix seconds. */
  updated_at: number;
  userid: string;
  user: UserSummary;
  team: Team;
  inviter: UserSummary | null;
}
