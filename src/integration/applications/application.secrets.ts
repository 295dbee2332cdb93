import { Conflict } from '#api';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newCredential, newId } from '#platform/ids.ts';
import type { ApplicationRow } from '#schema';
import { anyLiveSecrets, insertSecret, liveSecrets } from './application.store.ts';

/** Between two rotations of a secret. */
export const ROTATION_PAUSE_MS = 10_000;

export type ApplicationSecrets = ReturnType<typeof applicationSecrets>;

/** The secrets by which applications prove who they are, and which sign the calls to them. Stored encrypted. */
export function applicationSecrets({ cipher, clock }: { cipher: Cipher; clock: Clock }) {
  /** @returns the only readable copy */
  async function add(tx: Tx, applicationId: string, now: number): Promise<string> {
    const secret = newCredential();
    await insertSecret.run(tx, {
      id: newId(),
      application_id: applicationId,
      ciphertext: cipher.encrypt(secret),
      created_at: now,
    });
    return secret;
  }

  /**
   * Two people who rotate at once would each be shown a secret, and one of them would be invalid. @throws Conflict
   */
  async function refuseSecondRotation(tx: Tx, row: ApplicationRow): Promise<void> {
    const now = clock();
    const [current] = await anyLiveSecrets.all(tx, { applicationId: row.id, now });
    if (!current || current.created_at === row.created_at || now - current.created_at >= ROTATION_PAUSE_MS)
      return;
    throw new Conflict('just_rotated', 'The secret was rotated a moment ago: try again in some seconds');
  }

  /**
   * The secrets that sign a call, the current one first. A deleted application receives only the notice that it was
   * uninstalled.
   */
  async function toSign(reader: Reader, applicationId: string, kind: string): Promise<string[]> {
    const statement = kind === 'uninstall' ? anyLiveSecrets : liveSecrets;
    const rows = await statement.all(reader, { applicationId, now: clock() });
    return rows.map((row) => cipher.decrypt(row.ciphertext));
  }

  return { add, refuseSecondRotation, toSign };
}
