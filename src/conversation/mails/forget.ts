import type { Tx } from '#platform/db/index.ts';
import type { Portion } from '#platform/jobs/index.ts';
import type { UserRow } from '#schema';
import { deleteInvitationMailsTo } from './invitation-limits.store.ts';
import { deleteResetsOf } from './job.store.ts';
import { deleteMailsOf, deleteMailsTo } from './mail.store.ts';
import { deleteBatchOf, deleteNotificationsOf } from './notification.store.ts';
import { deleteCursorsOf } from './stream.store.ts';

/** Deletes the mails to a person who is being deleted, also those that wait to be sent. */
export async function forgetAddress(tx: Tx, user: Pick<UserRow, 'id' | 'email_key'>): Promise<void> {
  // First, so that the mail of one that is just being carried out is seen below.
  await deleteResetsOf.run(tx, { emailKey: user.email_key });
  await deleteMailsTo.run(tx, { emailKey: user.email_key });
  await deleteInvitationMailsTo.run(tx, { emailKey: user.email_key });
  while (await deleteMailsOf(tx, { userId: user.id }));
}

/** A batch of the notifications of a deleted person that wait, and of mails that were being written meanwhile. */
export const forgetRecipient: Portion<{ userId: string }> = async (tx, of) => {
  await deleteBatchOf.run(tx, of);
  await deleteCursorsOf.run(tx, of);
  return (await deleteNotificationsOf(tx, of)) || deleteMailsOf(tx, of);
};
