import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { scopesOf } from '../applications/index.ts';
import { type AgreementKey, insertAgreement, widenAgreement } from './agreement.store.ts';

/** Records a person's consent to an application in a team. */
export type Agree = ReturnType<typeof agreeing>;

export function agreeing({ clock, record }: { clock: Clock; record: Recorder }) {
  /** @returns everything that was agreed to, now and before */
  return async function agree(
    tx: Tx,
    key: AgreementKey,
    scopes: readonly string[],
  ): Promise<readonly string[]> {
    const now = clock();
    const row = await insertAgreement.first(tx, { ...key, id: newId(), now });
    if (!row) throw new Error('an agreement was not written');
    const before = scopesOf(row);
    const added = scopes.filter((scope) => !before.includes(scope));
    if (added.length === 0) return before;
    const agreed = [...before, ...added];
    await widenAgreement.run(tx, { id: row.id, scopes_json: JSON.stringify(agreed), agreed_at: now });
    await record(tx, {
      action: 'grant.agreed',
      target: ['application', key.applicationId],
      teamId: key.teamId,
      detail: { scopes: added },
    });
    return agreed;
  };
}
