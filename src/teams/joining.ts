import type { Tx } from '#platform/db/index.ts';
import type { UserRow } from '#schema';
import { lockUser } from '../people/users/index.ts';
import { asciiDomainOf } from './domain.ts';
import { lockTeam, lockTeamsToJoin } from './team.store.ts';

/** Locks somebody who joins a team, and then the team: the order in which an account is closed, and its address proved. */
export async function lockToJoin(tx: Tx, { userId, teamId }: { userId: string; teamId: string }) {
  await lockUser.first(tx, { id: userId });
  return lockTeam.first(tx, { id: teamId });
}

/**
 * The same for somebody whose address is being proved, with all teams that this lets them into: they join one after the
 * other, in an order that others do not have.
 * @param others teams that they join besides
 */
export async function lockToAdmit(
  tx: Tx,
  { id: userId, email_key: emailKey }: Pick<UserRow, 'id' | 'email_key'>,
  others: readonly string[] = [],
): Promise<void> {
  await lockUser.first(tx, { id: userId });
  await lockTeamsToJoin.all(tx, { ids: others, userId, emailKey, domain: asciiDomainOf(emailKey) });
}
