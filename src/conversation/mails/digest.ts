import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { findUser } from '../../people/users/index.ts';
import { wantedMessages } from './compose.messages.ts';
import type { MailQueue } from './mail.queue.ts';
import { listWaiting, markCollected, takeBatch } from './notification.store.ts';

/** How many notifications one mail is made from. */
const MOST = 500;

/** Puts everything that waits for one person into one mail. */
export function digest({ clock, mails }: { clock: Clock; mails: MailQueue }) {
  return async function collect(tx: Tx, userId: string): Promise<void> {
    const now = clock();
    if (!(await takeBatch.first(tx, { userId, now }))) return;
    const user = await findUser.first(tx, { id: userId });
    const waiting = await listWaiting.all(tx, { userId, limit: MOST });
    await markCollected.run(tx, { userId, now });
    if (user?.active !== 1) return;
    // Only to queue no mail in vain: what is in it is decided when it is sent.
    const wanted = await wantedMessages(tx, user, waiting);
    if (wanted.length === 0) return;
    await mails.enqueue(tx, {
      to: { email: user.email, userId },
      matter: { kind: 'messages', messageIds: wanted.map(({ id }) => id) },
    });
  };
}
