import type { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { encryptMatter, type Matter } from './mail.matter.ts';
import { insertMail } from './mail.store.ts';

export interface NewMail {
  readonly id?: string;
  readonly to: { readonly email: string; readonly userId: string | null };
  readonly matter: Matter;
  /** Not sent before; now, where it is absent. */
  readonly dueAt?: number;
}

export type MailQueue = ReturnType<typeof mailQueue>;

/** @param deps.canSend whether there is a mail server: without one, mails are kept */
export function mailQueue(deps: {
  clock: Clock;
  cipher: Cipher;
  baseUrl: () => string;
  canSend: boolean;
  wakeSender: () => void;
}) {
  const { clock, cipher, baseUrl, canSend, wakeSender } = deps;

  /**
   * Queues a mail that is composed and sent once this transaction is durable, and retried. Without a mail server it is
   * kept for an administrator to pass on, unless it quotes messages: those are not for other eyes.
   */
  async function enqueue(tx: Tx, { id = newId(), to, matter, dueAt }: NewMail): Promise<void> {
    if (!canSend && matter.kind === 'messages') return;
    const now = clock();
    await insertMail.run(tx, {
      id,
      kind: matter.kind,
      user_id: to.userId,
      recipient: to.email,
      subject: '',
      body_ciphertext: encryptMatter(cipher, matter),
      message_id: `${id}@${new URL(baseUrl()).hostname}`,
      status: canSend ? 'pending' : 'kept',
      reason: null,
      num_attempts: 0,
      num_failures: 0,
      next_attempt_at: canSend ? (dueAt ?? now) : null,
      lease_until: 0,
      created_at: now,
      updated_at: now,
    });
    if (canSend) tx.afterCommit(wakeSender);
  }

  return { enqueue };
}
