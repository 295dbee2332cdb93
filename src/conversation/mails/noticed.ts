import type { Clock } from '#platform/ids.ts';
import { type PrefName, prefsOf } from '../../people/users/index.ts';
import type { Notice, NoticeListener, NoticeReason } from '../notices/index.ts';
import { insertNotifications, openBatches } from './notification.store.ts';

/**
 * Notes which messages to mail to whom, as their preferences say, and begins to collect them.
 * @param deps.enabled without it nothing is noted: a mail about messages quotes them, so it is made only to be sent
 */
export function mailsNoticed(deps: { clock: Clock; batchMs: number; enabled: boolean }): NoticeListener {
  const { clock, batchMs, enabled } = deps;
  return {
    onNoticed: async (tx, notices) => {
      if (!enabled) return;
      const due = new Map<string, number>();
      const rows = notices.flatMap((notice) => {
        const reason = preferenceFor(notice);
        if (!reason) return [];
        const { user, message } = notice;
        due.set(user.id, message.created_at + batchMs);
        return [
          {
            ...{ user_id: user.id, message_id: message.id, reason },
            ...{ created_at: clock(), collected_at: null, mail_id: null },
          },
        ];
      });
      for (const userId of await insertNotifications(tx, rows)) {
        openBatches(tx, [userId], due.get(userId) as number);
      }
    },
  };
}

/** The first preference that applies and is on. */
function preferenceFor({ user, message, reasons, isMuted }: Notice): PrefName | undefined {
  if (isMuted) return undefined;
  const prefs = prefsOf(user);
  const isDirect = message.space_id === null;
  const asked = reasons.map((reason) => PREFERENCES[reason](isDirect));
  return asked.find((pref) => pref !== undefined && prefs[pref]);
}

const PREFERENCES: Readonly<Record<NoticeReason, (isDirect: boolean) => PrefName | undefined>> = {
  mention: () => 'email_on_at_mention',
  direct: () => 'email_on_direct_message',
  reply: (isDirect) =>
    isDirect ? 'email_on_reply_to_your_direct_message' : 'email_on_reply_to_your_message',
  followed: () => 'email_on_reply_to_message_you_replied_to',
  sidebar: () => 'email_on_sidebar_message',
  reaction: () => undefined,
  reminder: () => 'email_on_direct_message',
  // Told from the team's stream.
  team: () => undefined,
};
