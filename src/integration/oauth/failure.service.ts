import { type ApplicationPrincipal, NotAuthorized, timestamp, type UserPrincipal } from '#api';
import type { Database } from '#platform/db/index.ts';
import { type Clock, parseId } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import { type ApplicationService, findApplication } from '../applications/index.ts';
import { countFailure, listFailures, purgeFailures } from './failure.store.ts';
import { type TokenError, tokenFailures } from './token-error.ts';

/** As they are counted; a text of the caller is kept nowhere. */
export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'other',
  'none',
] as const;

/** All that there can be of an application. */
const MOST_FAILURES = Object.keys(tokenFailures).length * GRANT_TYPES.length;
const DAY_MS = 24 * 3600 * 1000;

export type FailureService = ReturnType<typeof failureService>;

/** Why an application got no tokens: its owner and its own program read it, and nobody else. */
export function failureService(deps: { db: Database; clock: Clock; applications: ApplicationService }) {
  const { db, clock, applications } = deps;

  /** @param given as the request has them, by whomever it was sent */
  async function note(
    given: { clientId: unknown; grantType: unknown },
    { failure }: TokenError,
  ): Promise<void> {
    const id = parseId(given.clientId);
    if (!id || !failure || !(await findApplication.first(db, { id }))) return;
    const row = { application_id: id, grant_type: grantOf(given.grantType), reason: failure, now: clock() };
    await db.write((tx) => countFailure.run(tx, row));
  }

  /** @throws NotFound for a person who is not the owner @throws NotAuthorized for another application */
  async function access(caller: ApplicationPrincipal | UserPrincipal, application: string): Promise<string> {
    if ('userId' in caller) return (await applications.accessOwn(db, caller.userId, application)).id;
    if (parseId(application) !== caller.applicationId) throw new NotAuthorized();
    return caller.applicationId;
  }

  /** The kinds of failure of late, the last one first. @throws as `access` does */
  async function list(caller: ApplicationPrincipal | UserPrincipal, application: string) {
    const id = await access(caller, application);
    const rows = await listFailures.all(db, { applicationId: id, limit: MOST_FAILURES });
    return rows.flatMap(({ grant_type, reason, num, first_at, last_at }) => {
      const known = Object.entries(tokenFailures).find(([name]) => name === reason)?.[1];
      // A newer server may have written what this one does not know.
      if (!known) return [];
      const [error, message] = known;
      const times = { first_at: timestamp(first_at), last_at: timestamp(last_at) };
      return [{ error, grant_type, reason, message, count: num, ...times }];
    });
  }

  return { note, list };
}

function grantOf(given: unknown): (typeof GRANT_TYPES)[number] {
  if (given === undefined || given === '') return 'none';
  return GRANT_TYPES.slice(0, 3).find((name) => name === given) ?? 'other';
}

/** The tasks that delete failures which have not been seen for some days; none when `days` is 0. */
export const failureCleaning = (db: Database, clock: Clock, days: number) =>
  days === 0 ? [] : [cleaning(db, purgeFailures, () => ({ before: clock() - days * DAY_MS }))];
