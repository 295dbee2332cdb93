import type { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { findUser, prefsOf } from '../../people/users/index.ts';
import { ADMIN, type TeamChange, type TeamListener } from '../../teams/index.ts';
import type { Standing } from './mail.facts.ts';
import { standingOf } from './mail.matter.ts';
import type { MailQueue } from './mail.queue.ts';
import { deleteUnsentMail, listMembershipMails } from './mail.store.ts';
import { findMembershipNames } from './notification.store.ts';

/** Between two mails about one membership. */
export const MEMBERSHIP_EVERY_MS = 3600 * 1000;
const DAY_MS = 24 * 3600 * 1000;
/** Mails about one membership a day. */
export const MEMBERSHIP_MAILS_A_DAY = 5;
/** Longer than a mail is tried. */
const LOOK_BACK_MS = 3 * DAY_MS;

type MemberChange = Extract<TeamChange, { userId: string }>;

/**
 * Mails about what an admin does to a membership: the first at once, the next an hour later, and a few a day. What
 * waits is replaced by the newest state, and dropped when that is the state which the person knows: an admin who
 * toggles a role fills no mailbox.
 */
export function membershipMails(deps: { clock: Clock; cipher: Cipher; mails: MailQueue }) {
  const { clock, cipher, mails } = deps;

  const onTeamChange: TeamListener = async (tx, change) => {
    if (!('userId' in change)) return;
    const { known, dueAt } = await takeBack(tx, change);
    // A change of one's own is known; so is one's joining.
    if (change.actorId === change.userId) return;
    const removed = change.kind === 'member_removed';
    const pref = removed ? 'email_on_team_removed' : 'email_on_team_role_changed';
    const user = await findUser.first(tx, { id: change.userId });
    if (user?.active !== 1 || !prefsOf(user)[pref]) return;
    const names = await findMembershipNames.first(tx, change);
    if (!names) return;
    const isAdmin = names.membership_type === ADMIN;
    const state = removed ? 'out' : isAdmin ? 'admin' : 'member';
    // There are two roles, so a change of the role began at the other one.
    const before = known ?? (isAdmin ? 'member' : 'admin');
    if (state === before) return;
    const standing = { team: change.teamId, before };
    const { actorId } = change;
    await mails.enqueue(tx, {
      to: { email: user.email, userId: user.id },
      dueAt,
      matter: removed
        ? { kind: 'team_removed', standing, actorId, teamName: names.team_name }
        : { kind: 'team_role_changed', standing, actorId, admin: isAdmin },
    });
  };

  /**
   * Deletes the mails about a membership that wait.
   * @returns the state that the person knows, where that is not the one before this change; and when the next is due
   */
  async function takeBack(tx: Tx, { teamId, userId }: MemberChange) {
    const now = clock();
    const rows = await listMembershipMails.all(tx, { userId, since: now - LOOK_BACK_MS });
    let known: Standing['before'] | undefined;
    const sent: number[] = [];
    for (const row of rows) {
      const standing = standingOf(cipher, row);
      if (standing?.team !== teamId || row.status === 'dropped') continue;
      // A mail that a sender has claimed counts as sent. If that fails, the next attempt sees that it is outdated.
      const deleted = row.status !== 'sent' && (await deleteUnsentMail.first(tx, { id: row.id, now }));
      if (deleted) known = standing.before;
      else sent.push(row.updated_at);
    }
    const [last] = sent;
    const oldest = sent[MEMBERSHIP_MAILS_A_DAY - 1];
    const dueAt = Math.max(
      now,
      last === undefined ? 0 : last + MEMBERSHIP_EVERY_MS,
      oldest === undefined ? 0 : oldest + DAY_MS,
    );
    return { known, dueAt };
  }

  return onTeamChange;
}
