import type { TimeKey } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { type AuditRow, deletion, insertion, query, statement } from '#schema';

export const insertEntries = insertion('audit_log')([
  'id',
  'at',
  'actor_id',
  'actor_kind',
  'action',
  'target_kind',
  'target_id',
  'team_id',
  'address',
  'detail_json',
]);

export interface AuditFilter {
  readonly actorId?: string | undefined;
  /** An action, or what several begin with, up to the dot. */
  readonly action?: string | undefined;
  readonly teamId?: string | undefined;
  readonly targetId?: string | undefined;
  /** Milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

export function listEntries(
  db: Reader,
  filter: AuditFilter,
  page: { newestFirst: boolean; limit: number; after: TimeKey | undefined },
): Promise<AuditRow[]> {
  return query(db, (q) => {
    const { actorId, action, teamId, targetId, since, until } = filter;
    const { newestFirst, limit, after } = page;
    let found = q.selectFrom('audit_log').selectAll();
    if (actorId !== undefined) found = found.where('actor_id', '=', actorId);
    // The slash follows the dot in ASCII, so all actions of the kind are between them.
    if (action?.endsWith('.'))
      found = found.where('action', '>', action).where('action', '<', `${action.slice(0, -1)}/`);
    else if (action !== undefined) found = found.where('action', '=', action);
    if (teamId !== undefined) found = found.where('team_id', '=', teamId);
    if (targetId !== undefined) found = found.where('target_id', '=', targetId);
    if (since !== undefined) found = found.where('at', '>=', since);
    if (until !== undefined) found = found.where('at', '<', until);
    const beyond = newestFirst ? '<' : '>';
    if (after) {
      found = found.where((eb) =>
        eb.or([eb('at', beyond, after.at), eb.and([eb('at', '=', after.at), eb('id', beyond, after.id)])]),
      );
    }
    const direction = newestFirst ? 'desc' : 'asc';
    return found.orderBy('at', direction).orderBy('id', direction).limit(limit);
  });
}

export const pageOfActor = statement<{ userId: string; at: number; id: string; limit: number }>()((q, p) =>
  q
    .selectFrom('audit_log')
    .selectAll()
    .where('actor_id', '=', p.userId)
    .where((eb) => eb.or([eb('at', '>', p.at), eb.and([eb('at', '=', p.at), eb('id', '>', p.id)])]))
    .orderBy('at')
    .orderBy('id')
    .limit(p.limit),
);

export const purgeEntries = deletion('audit_log')<{ before: number }>((rows, p) =>
  rows.where('at', '<', p.before),
);

/** The entries of a deleted person keep their id and nothing else; also attempts to sign in as them. */
export const forgetAddresses = statement<{ userId: string }>()((q, p) =>
  q
    .updateTable('audit_log')
    .set({ address: null })
    .where('address', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('actor_id', '=', p.userId),
        eb.and([eb('target_id', '=', p.userId), eb('actor_id', 'is', null)]),
      ]),
    ),
);
