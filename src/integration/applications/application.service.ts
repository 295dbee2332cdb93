import {
  Conflict,
  demandPassword,
  type FieldProblem,
  InvalidFields,
  lookUp,
  NotAuthorized,
  NotFound,
  timestamp,
  type UserPrincipal,
} from '#api';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newCredential, newId } from '#platform/ids.ts';
import type { ApplicationRow, HandsChange } from '#schema';
import { newAuthor, renameAuthor } from '../../people/users/index.ts';
import type { AuditAction, NewAuditEntry, Recorder } from '../../stewardship/audit/index.ts';
import { type OwnPolicy, type ReadAddress, readAddress } from './addresses.ts';
import type {
  Application,
  ApplicationChange,
  ChangedApplication,
  NewApplication,
  PublicApplication,
} from './application.schema.ts';
import {
  anyLiveSecrets,
  awaitOwner,
  changeOwner,
  closeApplication,
  countOwned,
  endAwaiting,
  expireSecrets,
  findApplication,
  findOwnersFacts,
  insertApplication,
  insertSecret,
  listDirectory,
  listOwned,
  listOwnedWithFacts,
  liveSecrets,
  lockApplication,
  pageOfOrphans,
  pageOfOwned,
  setSuspended,
  updateApplication,
} from './application.store.ts';
import { isPublic, NO_SECRET, refuseMisfits, refusePublic } from './client-type.ts';
import { commandsOf, readNamed, shortcutsOf } from './commands.ts';
import { shownIcon } from './icon.ts';
import { readLinkPrefix } from './link-prefix.ts';
import { loginParameter, readRedirectUri, reservedParameter, siteOf } from './redirect-uri.ts';
import { isSuspended, presentSuspension, refuseSuspended } from './suspension.ts';

/** The applications of one owner; more than these they may be given. */
export const MOST_OWNED = 500;
/** Between two rotations of a secret. */
export const ROTATION_PAUSE_MS = 10_000;
/** The addresses in its row. */
const OWN_ADDRESSES = [
  'base_url',
  'preinstall_url',
  'uninstall_url',
  'team_update_url',
  'initiate_login_uri',
] as const;
const ADDRESSES = [...OWN_ADDRESSES, 'interaction_url'] as const;

/** A fact to which other domains react in the same transaction; joined in src/app. */
export interface ApplicationFact {
  /**
   * Its icon was set or changed; the links that it asks for have changed; its credentials are good no longer, at once;
   * it proves otherwise than before who it is; it is being deleted, and still has its installations; others may act for
   * it than its teams agreed to; or it sleeps, or wakes.
   */
  readonly kind:
    | 'icon_changed'
    | 'links_changed'
    | 'credentials_ended'
    | 'method_changed'
    | 'deleted'
    | 'changed_hands'
    | 'suspended'
    | 'woken';
  readonly application: ApplicationRow;
}
export type ApplicationListener = (tx: Tx, fact: ApplicationFact) => Promise<void>;

/** The new key of a webhook, for the owner who takes an application over. */
export interface NewWebhookKey {
  readonly subscription: string;
  readonly key: string;
}

export type ApplicationService = ReturnType<typeof applicationService>;

export function applicationService(deps: {
  db: Database;
  clock: Clock;
  cipher: Cipher;
  allowLoopback: boolean;
  baseUrl: () => string;
  publish: ApplicationListener;
  /** Locks the owner's account until the transaction ends. @returns undefined for a closed or unknown account */
  lockOwner: (tx: Tx, userId: string) => Promise<{ id: string } | undefined>;
  /** Gives each webhook another key at once. */
  renewWebhookKeys: (tx: Tx, applicationId: string) => Promise<NewWebhookKey[]>;
  /** Sets where clicks are sent. @returns the key that signs the calls, of an address where none was before */
  setInteractionUrl: (tx: Tx, applicationId: string, url: string | null) => Promise<string | undefined>;
  /** @throws Conflict for one that subscribes to events */
  refuseSubscribed: (tx: Tx, applicationId: string) => Promise<void>;
  record: Recorder;
}) {
  const { db, clock, cipher, allowLoopback, baseUrl, publish, lockOwner, record } = deps;
  const { renewWebhookKeys, setInteractionUrl, refuseSubscribed } = deps;

  const recordChange = (
    tx: Tx,
    action: Extract<AuditAction, `application.${string}`>,
    id: string,
    detail: NonNullable<NewAuditEntry['detail']> = {},
  ) => record(tx, { action, target: ['application', id], detail });

  /**
   * Normalises the addresses among the fields. @param before redirect addresses that it has, which stay as they are
   * @throws InvalidFields naming each that is refused
   */
  function readAddresses<Fields extends ApplicationChange>(
    fields: Fields,
    before: readonly string[] = [],
  ): Fields {
    const problems: FieldProblem[] = [];
    const policy = { allowLoopback, origin: baseUrl() };
    const keep = (field: string, text: string, address: ReadAddress): string => {
      if (address.ok) return address.href;
      problems.push({ field, message: address.detail });
      return text;
    };
    if (fields.icon !== undefined && hasForeignScheme(fields.icon)) {
      problems.push({ field: 'icon', message: 'must be an emoji, or an address that begins with https://' });
    }
    const refuseParameter = (field: string, name: string | undefined) => {
      if (name === undefined) return;
      const message = `must not have the parameter ${name}: the answer adds its own to the address`;
      problems.push({ field, message });
    };
    const found = { ...fields };
    for (const name of ADDRESSES) {
      const text = fields[name];
      if (text === undefined || text === null) continue;
      if (name === 'initiate_login_uri') refuseParameter(name, loginParameter(text));
      found[name] = keep(name, text, readAddress(text, policy));
    }
    const uris = fields.redirect_uris?.map((text, index) => {
      if (before.includes(text)) return text;
      const field = `redirect_uris.${index}`;
      refuseParameter(field, reservedParameter(text));
      return keep(field, text, readRedirectUri(text, policy));
    });
    const prefixes = fields.link_prefixes?.map((text, index) => {
      const prefix = readLinkPrefix(text, policy);
      if (prefix.ok) return prefix.href;
      problems.push({ field: `link_prefixes.${index}`, message: prefix.detail });
      return text;
    });
    if (problems.length > 0) throw new InvalidFields(problems);
    return {
      ...found,
      ...(uris && { redirect_uris: uris }),
      ...(prefixes && { link_prefixes: [...new Set(prefixes)] }),
    };
  }

  /** @returns the application with the only readable copy of its secret, if it has one */
  async function register(tx: Tx, ownerId: string, given: NewApplication) {
    const fields = readAddresses(given);
    // Two that come at once are counted one after the other.
    if (!(await lockOwner(tx, ownerId))) throw new NotAuthorized();
    const { count = 0 } = (await countOwned.first(tx, { ownerId })) ?? {};
    if (count >= MOST_OWNED)
      throw new Conflict('too_many_applications', `A person registers at most ${MOST_OWNED} applications`);
    const now = clock();
    const row: ApplicationRow = {
      ...readNamed(fields, undefined, now),
      id: newCredential(),
      owner_id: ownerId,
      name: fields.name,
      description: fields.description ?? '',
      icon: fields.icon ?? '',
      base_url: fields.base_url ?? '',
      preinstall_url: fields.preinstall_url ?? '',
      uninstall_url: fields.uninstall_url ?? null,
      team_update_url: fields.team_update_url ?? null,
      redirect_uris_json: JSON.stringify(fields.redirect_uris ?? []),
      scopes_json: JSON.stringify(fields.scopes ?? []),
      link_prefixes_json: JSON.stringify(fields.link_prefixes ?? []),
      has_home: Number(fields.has_home ?? false),
      listed: Number(fields.listed ?? false),
      require_pkce: Number(fields.require_pkce ?? true),
      initiate_login_uri: fields.initiate_login_uri ?? null,
      token_endpoint_auth_method: fields.token_endpoint_auth_method ?? 'client_secret_basic',
      author_id: null,
      active: 1,
      suspended_at: null,
      awaits_owner_since: null,
      awaits_owner_why: null,
      woken_at: 0,
      created_at: now,
      updated_at: now,
    };
    refuseMisfits(row, fields.interaction_url);
    await insertApplication.run(tx, row);
    await publish(tx, { kind: 'icon_changed', application: row });
    await recordChange(tx, 'application.registered', row.id);
    const key = fields.interaction_url
      ? await setInteractionUrl(tx, row.id, fields.interaction_url)
      : undefined;
    return {
      ...(await presentOwn(tx, row)),
      ...(key !== undefined && { interaction_key: key }),
      ...(!isPublic(row) && { client_secret: await addSecret(tx, row.id, now) }),
    };
  }

  async function addSecret(tx: Tx, applicationId: string, now: number): Promise<string> {
    const secret = newCredential();
    await insertSecret.run(tx, {
      id: newId(),
      application_id: applicationId,
      ciphertext: cipher.encrypt(secret),
      created_at: now,
    });
    return secret;
  }

  /** The only way for an owner to a row. @throws NotFound for anyone else */
  async function accessOwn(reader: Reader, userId: string, id: string): Promise<ApplicationRow> {
    const row = await lookUp(id, (known) => findApplication.first(reader, { id: known }));
    if (row.owner_id !== userId) throw new NotFound();
    return row;
  }

  /** Locks the row, so that concurrent changes do not overwrite each other. */
  async function lockOwn(tx: Tx, userId: string, id: string): Promise<ApplicationRow> {
    const row = await lookUp(id, (known) => lockApplication.first(tx, { id: known }));
    if (row.owner_id !== userId) throw new NotFound();
    return row;
  }

  async function change(
    tx: Tx,
    person: UserPrincipal,
    id: string,
    given: ApplicationChange,
  ): Promise<ChangedApplication> {
    const row = await lockOwn(tx, person.userId, id);
    const fields = readAddresses(given, redirectUrisOf(row));
    const { redirect_uris = redirectUrisOf(row), scopes = scopesOf(row) } = fields;
    const { listed = row.listed === 1, has_home = row.has_home === 1 } = fields;
    const { uninstall_url = row.uninstall_url, team_update_url = row.team_update_url } = fields;
    const { initiate_login_uri = row.initiate_login_uri, link_prefixes = linkPrefixesOf(row) } = fields;
    const { token_endpoint_auth_method = row.token_endpoint_auth_method } = fields;
    const { require_pkce = row.require_pkce === 1 || token_endpoint_auth_method === NO_SECRET } = fields;
    const now = clock();
    const changed: ApplicationRow = {
      ...row,
      ...readNamed(fields, row, now),
      name: fields.name ?? row.name,
      description: fields.description ?? row.description,
      icon: fields.icon ?? row.icon,
      base_url: fields.base_url === undefined ? row.base_url : (fields.base_url ?? ''),
      preinstall_url:
        fields.preinstall_url === undefined ? row.preinstall_url : (fields.preinstall_url ?? ''),
      uninstall_url,
      team_update_url,
      redirect_uris_json: JSON.stringify(redirect_uris),
      scopes_json: JSON.stringify(scopes),
      link_prefixes_json: JSON.stringify(link_prefixes),
      has_home: Number(has_home),
      listed: Number(listed),
      require_pkce: Number(require_pkce),
      initiate_login_uri,
      token_endpoint_auth_method,
      updated_at: now,
    };
    refuseMisfits(changed, fields.interaction_url);
    if (row.base_url !== '' && changed.base_url === '')
      throw new InvalidFields({ field: 'base_url', message: 'can be changed, and not removed' });
    if (opensMore(row, changed)) demandPassword(person);
    await updateApplication.run(tx, changed);
    if (isPublic(changed) !== isPublic(row)) await changeMethod(tx, changed);
    if (changed.name !== row.name && row.author_id !== null)
      await renameAuthor.run(tx, newAuthor({ id: row.author_id, name: changed.name, now }));
    if (changed.icon !== row.icon) await publish(tx, { kind: 'icon_changed', application: changed });
    if (changed.link_prefixes_json !== row.link_prefixes_json)
      await publish(tx, { kind: 'links_changed', application: changed });
    await recordChange(tx, 'application.changed', row.id, {
      fields: Object.keys(fields),
      ...(fields.scopes && { scopes: fields.scopes }),
    });
    const key = await changeInteractionUrl(tx, person, row.id, fields.interaction_url);
    return { ...(await presentOwn(tx, changed)), ...(key !== undefined && { interaction_key: key }) };
  }

  async function changeInteractionUrl(
    tx: Tx,
    person: UserPrincipal,
    id: string,
    url: string | null | undefined,
  ): Promise<string | undefined> {
    if (url === undefined) return undefined;
    const before = (await findOwnersFacts.first(tx, { id, now: clock() }))?.interaction_url ?? null;
    if (url === before) return undefined;
    if (url !== null) demandPassword(person);
    return setInteractionUrl(tx, id, url);
  }

  /**
   * Ends secrets, tokens and agreements: credentials of a confidential client must not work for a public one, nor the
   * other way around. A client that becomes confidential gets its secret from `rotateSecret`.
   */
  async function changeMethod(tx: Tx, row: ApplicationRow): Promise<void> {
    if (isPublic(row)) await refuseSubscribed(tx, row.id);
    await expireSecrets.run(tx, { applicationId: row.id, at: clock() });
    await publish(tx, { kind: 'method_changed', application: row });
  }

  async function remove(tx: Tx, userId: string, id: string): Promise<void> {
    const row = await lockOwn(tx, userId, id);
    await publish(tx, { kind: 'deleted', application: row });
    await closeApplication.run(tx, { id: row.id, now: clock() });
    await recordChange(tx, 'application.deleted', row.id);
  }

  /** For an application whose owner is about to leave. It sleeps until the new one takes it over. @throws NotFound */
  async function giveTo(tx: Tx, id: string, userId: string): Promise<Application> {
    const row = await lookUp(id, (known) => lockApplication.first(tx, { id: known }));
    const { id: ownerId } = await lookUp(userId, (known) => lockOwner(tx, known));
    if (ownerId === row.owner_id) return presentOwn(tx, row);
    await changeOwner.run(tx, { id: row.id, ownerId, now: clock() });
    await recordChange(tx, 'application.owner_changed', row.id, { from: row.owner_id, to: ownerId });
    return presentOwn(tx, await changeHands(tx, { ...row, owner_id: ownerId }, 'owner_changed'));
  }

  /**
   * Who may act for an application has changed: somebody may hold its secrets who should not, or its owner is
   * somebody else than its teams agreed to. It sleeps until a living owner takes it over, and what it was granted
   * until each team has agreed again.
   */
  async function changeHands(tx: Tx, row: ApplicationRow, why: HandsChange): Promise<ApplicationRow> {
    const now = clock();
    await awaitOwner.run(tx, { id: row.id, awaits_owner_why: why, now });
    const asleep = { ...row, awaits_owner_since: now, awaits_owner_why: why, updated_at: now };
    await recordChange(tx, 'application.suspended', row.id, { why, owner: row.owner_id });
    await publish(tx, { kind: 'changed_hands', application: asleep });
    return asleep;
  }

  /** For an owner whose account was closed, or was in the hands of another. */
  async function suspendOwned(tx: Tx, ownerId: string, why: HandsChange): Promise<void> {
    for await (const id of inPages((page) => pageOfOwned.all(tx, { ownerId, ...page }))) {
      const row = await lockApplication.first(tx, { id });
      if (row?.owner_id === ownerId) await changeHands(tx, row, why);
    }
  }

  /** Finds applications whose owner is gone, whatever closed the account. @returns their ids */
  async function suspendOrphans(): Promise<string[]> {
    const orphans: string[] = [];
    for await (const id of inPages((page) => pageOfOrphans.all(db, page))) {
      orphans.push(id);
      await db.write(async (tx) => {
        const row = await lockApplication.first(tx, { id });
        if (row?.awaits_owner_since === null) await changeHands(tx, row, 'owner_closed');
      });
    }
    return orphans;
  }

  /** The operator's decision; it ends by `wake`, and leaves secrets and agreements as they are. @throws NotFound */
  async function suspend(tx: Tx, id: string): Promise<Application> {
    const row = await lookUp(id, (known) => lockApplication.first(tx, { id: known }));
    if (row.suspended_at !== null) return presentOwn(tx, row);
    const now = clock();
    await setSuspended.run(tx, { id: row.id, since: now, now });
    const asleep = { ...row, suspended_at: now, updated_at: now };
    await recordChange(tx, 'application.suspended', row.id, { why: 'operator' });
    await publish(tx, { kind: 'suspended', application: asleep });
    return presentOwn(tx, asleep);
  }

  /** @throws NotFound @throws Conflict for one that only its owner can wake */
  async function wake(tx: Tx, id: string): Promise<Application> {
    const row = await lookUp(id, (known) => lockApplication.first(tx, { id: known }));
    if (row.suspended_at === null && row.awaits_owner_since !== null)
      throw new Conflict('awaits_owner', 'The application sleeps until its owner takes it over');
    if (row.suspended_at === null) return presentOwn(tx, row);
    const now = clock();
    await setSuspended.run(tx, { id: row.id, since: null, now });
    const awake = { ...row, suspended_at: null, woken_at: now, updated_at: now };
    await recordChange(tx, 'application.woken', row.id);
    await publish(tx, { kind: isSuspended(awake) ? 'suspended' : 'woken', application: awake });
    return presentOwn(tx, awake);
  }

  /** The owner's new secret wakes it, or their word where it has none: secrets that others may hold are dead at once. */
  async function takeOver(tx: Tx, row: ApplicationRow) {
    const now = clock();
    await expireSecrets.run(tx, { applicationId: row.id, at: now });
    const webhook_keys = await renewWebhookKeys(tx, row.id);
    await endAwaiting.run(tx, { id: row.id, now });
    const awake = {
      ...row,
      awaits_owner_since: null,
      awaits_owner_why: null,
      woken_at: now,
      updated_at: now,
    };
    await recordChange(tx, 'application.taken_over', row.id);
    if (!isSuspended(awake)) await publish(tx, { kind: 'woken', application: awake });
    return {
      id: row.id,
      ...(!isPublic(row) && { client_secret: await addSecret(tx, row.id, now) }),
      previous_expires_at: timestamp(now),
      webhook_keys,
    };
  }

  /** @throws Conflict naming the applications that the user owns */
  async function refuseOwner(tx: Tx, userId: string): Promise<void> {
    const rows = await listOwned.all(tx, { ownerId: userId });
    if (rows.length === 0) return;
    const names = rows.map(({ name, id }) => `${name} (${id})`).join(', ');
    throw new Conflict(
      'owns_applications',
      `Delete these applications first, or have them given away: ${names}`,
    );
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

  /** The previous secret stays valid during the overlap, so that the new one can be rolled out. */
  async function rotateSecret(tx: Tx, userId: string, id: string, overlapSeconds: number) {
    const row = await lockOwn(tx, userId, id);
    if (row.awaits_owner_since !== null) return takeOver(tx, row);
    refusePublic(row);
    await refuseSecondRotation(tx, row);
    const until = clock() + overlapSeconds * 1000;
    await expireSecrets.run(tx, { applicationId: row.id, at: until });
    if (overlapSeconds === 0) await publish(tx, { kind: 'credentials_ended', application: row });
    await recordChange(tx, 'application.secret_rotated', row.id, { overlap_seconds: overlapSeconds });
    return {
      id: row.id,
      client_secret: await addSecret(tx, row.id, clock()),
      previous_expires_at: timestamp(until),
    };
  }

  /** @throws NotAllowed for an application that sleeps */
  async function refuseAsleep(reader: Reader, id: string): Promise<void> {
    const row = await findApplication.first(reader, { id });
    if (row) refuseSuspended(row);
  }

  /**
   * The secrets that sign a call, the current one first. A deleted application receives only the notice that it was
   * uninstalled.
   */
  async function secretsToSign(reader: Reader, applicationId: string, kind: string): Promise<string[]> {
    const statement = kind === 'uninstall' ? anyLiveSecrets : liveSecrets;
    const rows = await statement.all(reader, { applicationId, now: clock() });
    return rows.map((row) => cipher.decrypt(row.ciphertext));
  }

  const get = async (userId: string, id: string) => presentOwn(db, await accessOwn(db, userId, id));

  async function presentOwn(reader: Reader, row: ApplicationRow): Promise<Application> {
    const facts = await findOwnersFacts.first(reader, { id: row.id, now: clock() });
    return { ...presentApplication(row, { origin: baseUrl(), allowLoopback }), ...presentFacts(facts) };
  }

  async function owned(userId: string) {
    const rows = await listOwnedWithFacts.all(db, { ownerId: userId, now: clock() });
    return rows.map((row) => ({
      ...presentApplication(row, { origin: baseUrl(), allowLoopback }),
      ...presentFacts(row),
      num_installations: row.num_installations ?? 0,
      last_delivery:
        row.last_status === null || row.last_at === null
          ? null
          : { status: row.last_status, created_at: timestamp(row.last_at) },
    }));
  }

  const presentPublic = (row: ApplicationRow) =>
    presentPublicApplication(row, { origin: baseUrl(), allowLoopback });

  const directory = async () => (await listDirectory.all(db, {})).map(presentPublic);
  const byId = (reader: Reader, id: string) => findApplication.first(reader, { id });

  return {
    register,
    accessOwn,
    lockOwn,
    change,
    remove,
    giveTo,
    suspendOwned,
    suspendOrphans,
    suspend,
    wake,
    refuseOwner,
    refuseAsleep,
    rotateSecret,
    secretsToSign,
    get,
    owned,
    directory,
    presentPublic,
    byId,
  };
}

/** The ids of all, however many. */
async function* inPages(
  read: (page: { after: string; limit: number }) => Promise<{ id: string }[]>,
): AsyncGenerator<string> {
  const limit = 500;
  for (let after = LOWEST_ID; ; ) {
    const rows = await read({ after, limit });
    for (const { id } of rows) yield id;
    if (rows.length < limit) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Whether secrets or codes would go elsewhere, or codes be of use to somebody who sees them on their way. */
function opensMore(before: ApplicationRow, after: ApplicationRow): boolean {
  const weakens = after.require_pkce < before.require_pkce;
  return (
    weakens ||
    [...OWN_ADDRESSES, 'redirect_uris_json' as const, 'token_endpoint_auth_method' as const].some(
      (name) => after[name] !== before[name],
    )
  );
}

/** Only HTTP(S) addresses are accepted as pictures: `javascript:` and `data:` would reach the browser unchanged. */
function hasForeignScheme(icon: string): boolean {
  return URL.canParse(icon) && !/^https?:$/.test(new URL(icon).protocol);
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
