import type { Tx } from '#platform/db/index.ts';
import type { InstallationRow } from '#schema';
import { countCall } from './installation.store.ts';

/** The reason of an installation that was accepted, but whose server, team, application or installer was gone. */
export const INTERRUPTED = 'interrupted';

/** Runs in the transaction that creates an installation or changes its state; joined in src/app. */
export type InstallationListener = (
  tx: Tx,
  of: Pick<InstallationRow, 'id' | 'team_id' | 'application_id'> & {
    readonly change: 'begun' | 'installed' | 'failed' | 'scopes' | 'standing' | 'removed';
    /** Whether links that it heard of may have been taken away. */
    readonly linksTaken?: boolean;
  },
) => Promise<void>;

/** What a call says of its installation: the number of the call tells an application which of two is the later one. */
export const numbered = async (tx: Tx, id: string) => ({
  id,
  sequence: (await countCall.first(tx, { id }))?.num_calls ?? 0,
});
