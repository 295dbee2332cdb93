import { timestamp } from '#api';
import type { Reader } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { ApplicationRow } from '#schema';
import type { OwnPolicy } from './addresses.ts';
import type { Application, PublicApplication } from './application.schema.ts';
import { findOwnersFacts, listOwnedWithFacts } from './application.store.ts';
import { isPublic } from './client-type.ts';
import { commandsOf, shortcutsOf } from './commands.ts';
import { shownIcon } from './icon.ts';
import { siteOf } from './redirect-uri.ts';
import { isSuspended, presentSuspension } from './suspension.ts';

/** Applications as their owner, and as everybody, sees them. @param deps.policy of this server, as it is now */
export function applicationViews(deps: { clock: Clock; policy: () => OwnPolicy }) {
  const { clock, policy } = deps;

  async function ofOwner(reader: Reader, row: ApplicationRow): Promise<Application> {
    const facts = await findOwnersFacts.first(reader, { id: row.id, now: clock() });
    return { ...presentApplication(row, policy()), ...presentFacts(facts) };
  }

  /** All of one owner, each with how far it has come. */
  async function owned(reader: Reader, ownerId: string) {
    const rows = await listOwnedWithFacts.all(reader, { ownerId, now: clock() });
    return rows.map((row) => ({
      ...presentApplication(row, policy()),
      ...presentFacts(row),
      num_installations: row.num_installations ?? 0,
      last_delivery:
        row.last_status === null || row.last_at === null
          ? null
          : { status: row.last_status, created_at: timestamp(row.last_at) },
    }));
  }

  const ofAll = (row: ApplicationRow) => presentPublicApplication(row, policy());

  return { ofOwner, owned, ofAll };
}

const timestampOrNull = (milliseconds: number | null | undefined) =>
  milliseconds === null || milliseconds === undefined ? null : timestamp(milliseconds);

interface OwnersFacts {
  readonly interaction_url: string | null;
  readonly previous_secret_end: number | null;
  readonly calls_failing_since: number | null;
  readonly calls_paused_until: number | null;
}

const presentFacts = (facts?: OwnersFacts) => ({
  interaction_url: facts?.interaction_url ?? null,
  previous_secret_expires_at: timestampOrNull(facts?.previous_secret_end),
  calls_failing_since: timestampOrNull(facts?.calls_failing_since),
  calls_paused_until: timestampOrNull(facts?.calls_paused_until),
});

export function scopesOf(row: { scopes_json: string }): string[] {
  return JSON.parse(row.scopes_json) as string[];
}

export function linkPrefixesOf(row: { link_prefixes_json: string }): string[] {
  return JSON.parse(row.link_prefixes_json) as string[];
}

export function redirectUrisOf(row: ApplicationRow): string[] {
  return JSON.parse(row.redirect_uris_json) as string[];
}

/**
 * The redirect address to which opening from a team leads with a code. A public client has none: it gets codes for its
 * own requests alone, since nothing but PKCE protects them.
 */
export const openedAt = (row: ApplicationRow, allowLoopback: boolean): string | undefined =>
  isPublic(row) ? undefined : siteOf(redirectUrisOf(row), allowLoopback);

const isOpenable = (row: ApplicationRow, allowLoopback: boolean) =>
  row.initiate_login_uri !== null || openedAt(row, allowLoopback) !== undefined;

/** @param policy with the server's public address, from which pictures are shown */
function presentPublicApplication(row: ApplicationRow, policy: OwnPolicy): PublicApplication {
  const { id, name, description, base_url, listed } = row;
  return {
    id,
    name,
    description,
    icon: shownIcon(row, policy.origin),
    base_url: base_url || null,
    scopes: scopesOf(row),
    link_prefixes: linkPrefixesOf(row),
    commands: commandsOf(row).map(({ name, description, hint }) => ({ name, description, hint })),
    shortcuts: shortcutsOf(row),
    has_home: row.has_home === 1,
    listed: listed === 1,
    suspended: isSuspended(row),
    openable: isOpenable(row, policy.allowLoopback),
  };
}

/** The fields that do not depend on time; its secrets and the state of its calls are added elsewhere. */
export function presentApplication(
  row: ApplicationRow,
  policy: OwnPolicy,
): Omit<Application, keyof ReturnType<typeof presentFacts>> {
  return {
    ...presentPublicApplication(row, policy),
    icon_source: row.icon,
    preinstall_url: row.preinstall_url || null,
    uninstall_url: row.uninstall_url,
    team_update_url: row.team_update_url,
    redirect_uris: redirectUrisOf(row),
    initiate_login_uri: row.initiate_login_uri,
    require_pkce: row.require_pkce === 1,
    token_endpoint_auth_method: row.token_endpoint_auth_method,
    suspension: presentSuspension(row),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}
