import { listPage, originOf, type Page, type TimeKey, timeKeyOf, timestamp } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newId } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import type { AuditRow } from '#schema';
import type { AuditEntry } from './audit.schema.ts';
import { type AuditFilter, insertEntries, listEntries, pageOfActor, purgeEntries } from './audit.store.ts';

/** Everything that is told of. */
export type AuditAction =
  | 'account.created'
  | 'account.deactivated'
  | 'account.deleted'
  | 'account.disowned'
  | 'account.exported'
  | 'account.reactivated'
  | 'account.signed_out'
  | 'application.changed'
  | 'application.command_given'
  | 'application.deleted'
  | 'application.installed'
  | 'application.owner_changed'
  | 'application.registered'
  | 'application.scopes_granted'
  | 'application.secret_rotated'
  | 'application.suspended'
  | 'application.taken_over'
  | 'application.token_issued'
  | 'application.uninstalled'
  | 'application.woken'
  | 'audit.exported'
  | 'backup.downloaded'
  | 'backup.failed'
  | 'backup.made'
  | 'domain_rule.deleted'
  | 'domain_rule.made'
  | 'emoji.added'
  | 'emoji.deleted'
  | 'grant.agreed'
  | 'grant.ended'
  | 'invitation.accepted'
  | 'invitation.made'
  | 'invitation.withdrawn'
  | 'join_link.made'
  | 'join_link.used'
  | 'join_link.withdrawn'
  | 'mail.read'
  | 'mail.resent'
  | 'member.added'
  | 'member.removed'
  | 'member.role_changed'
  | 'operator.command'
  | 'password.changed'
  | 'password.confirmed'
  | 'sign_in.refused'
  | 'sign_in.succeeded'
  | 'superuser.granted'
  | 'superuser.removed'
  | 'team.changed'
  | 'team.created'
  | 'team.deleted'
  | 'team.erased'
  | 'team.restored';

export interface NewAuditEntry {
  readonly action: AuditAction;
  /** The kind and id of the thing that was changed. */
  readonly target?: readonly [
    kind: 'application' | 'domain_rule' | 'invitation' | 'join_link' | 'mail' | 'team' | 'user',
    id: string,
  ];
  readonly teamId?: string;
  /** Small, and without secrets, names and addresses: they would outlive the account. */
  readonly detail?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/** Writes entries in the transaction of what they tell of; who did it is the transaction's origin. */
export type Recorder = (tx: Tx, entry: NewAuditEntry | readonly NewAuditEntry[]) => Promise<void>;

export function auditRecorder(clock: Clock): Recorder {
  return async (tx, given) => {
    const origin = originOf(tx);
    const entries = [given].flat();
    if (entries.length === 0) return;
    const rows = entries.map(
      ({ action, target, teamId, detail }): AuditRow => ({
        id: newId(),
        at: clock(),
        actor_id: origin.id,
        actor_kind: origin.kind,
        action,
        target_kind: target?.[0] ?? null,
        target_id: target?.[1] ?? null,
        team_id: teamId ?? null,
        address: origin.address,
        detail_json: JSON.stringify({
          ...detail,
          ...(origin.through !== undefined && { through: origin.through }),
        }),
      }),
    );
    await insertEntries(tx, rows);
  };
}

const STREAM_PAGE = 1000;

export type AuditService = ReturnType<typeof auditService>;

export function auditService({ db }: { db: Database }) {
  /** The newest first. */
  async function list(filter: AuditFilter, page: Page) {
    const after = timeKeyOf(page);
    const { rows, next } = await listPage(
      page,
      (limit) => listEntries(db, filter, { newestFirst: true, limit, after }),
      (row) => [String(row.at), row.id],
    );
    return { entries: rows.map(presentEntry), next };
  }

  /** All of them, the oldest first, a page at a time. */
  async function* stream(filter: AuditFilter): AsyncGenerator<AuditEntry> {
    for (let after: TimeKey | undefined; ; ) {
      const rows = await listEntries(db, filter, { newestFirst: false, limit: STREAM_PAGE, after });
      for (const row of rows) yield presentEntry(row);
      const last = rows.at(-1);
      if (!last || rows.length < STREAM_PAGE) return;
      after = { at: last.at, id: last.id };
    }
  }

  return { list, stream };
}

/** The actions of one user, the oldest first, a page at a time. */
export async function* entriesOfActor(db: Reader, userId: string): AsyncGenerator<AuditEntry> {
  for (let after: TimeKey = { at: 0, id: LOWEST_ID }; ; ) {
    const rows = await pageOfActor.all(db, { userId, ...after, limit: STREAM_PAGE });
    for (const row of rows) yield presentEntry(row);
    const last = rows.at(-1);
    if (!last || rows.length < STREAM_PAGE) return;
    after = { at: last.at, id: last.id };
  }
}

/** The tasks that delete what is older than the retention. @param days 0 keeps everything */
export const auditCleaning = (db: Database, clock: Clock, days: number) =>
  days === 0 ? [] : [cleaning(db, purgeEntries, () => ({ before: clock() - days * 24 * 3600 * 1000 }))];

function presentEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: timestamp(row.at),
    actor: row.actor_id,
    actor_kind: row.actor_kind,
    action: row.action,
    target: row.target_id,
    target_kind: row.target_kind,
    team: row.team_id,
    address: row.address,
    detail: JSON.parse(row.detail_json) as Record<string, unknown>,
  };
}
