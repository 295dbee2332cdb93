import { equalInConstantTime, sign } from '#platform/crypto/index.ts';
import type { TeamCursor } from '../../../teams/index.ts';

/** More exceptions to a cursor are not carried to the reader and back. */
const MOST_EXCEPTIONS = 200;

/** Enough for the most exceptions. */
export const MOST_UNDO_CHARACTERS = 16_384;

/** The state of a reader in a team before it was marked as read, and what that made of it. */
interface Before {
  /** The cursor before. */
  readonly from: number;
  /** The cursor afterwards. */
  readonly to: number;
  /** Afterwards there were no exceptions up to this place. */
  readonly upTo: number;
  /** The messages that were exceptions before: unread up to the cursor, read beyond it. */
  readonly exceptions: readonly string[];
  /** The exceptions that were unread although the cursor of their subject had passed them. */
  readonly unread?: readonly string[];
  /** How many messages beyond the cursor those of subjects covered. */
  readonly covered: number;
}

/**
 * The state goes to the reader and comes back, so that it needs no row. It is signed: a reader restores only a state that was
 * theirs, in the same team.
 */
export function teamUndo(key: Buffer) {
  const signature = ({ userId, teamId }: TeamCursor, payload: string) =>
    sign(key, `team-undo ${userId} ${teamId} ${payload}`);

  /** @returns null where nothing changed, or more than is carried */
  function make(state: TeamCursor & Before): string | null {
    const { from, to, upTo, exceptions, unread = [], covered } = state;
    const isSame = from === to && exceptions.length === 0;
    if (isSame || exceptions.length > MOST_EXCEPTIONS) return null;
    const before: Before = { from, to, upTo, exceptions, covered, ...(unread.length > 0 && { unread }) };
    const payload = Buffer.from(JSON.stringify(before)).toString('base64url');
    return `${payload}.${signature(state, payload)}`;
  }

  /** @returns undefined for a text that was not made for this reader and team */
  function read(cursor: TeamCursor, text: string): Before | undefined {
    const [payload = '', signed = ''] = text.split('.');
    if (!equalInConstantTime(signed, signature(cursor, payload))) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Before;
  }

  return { make, read };
}
