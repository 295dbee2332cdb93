import {
  Conflict,
  demandPassword,
  InvalidFields,
  lookUp,
  NotAuthorized,
  NotFound,
  timestamp,
  type UserPrincipal,
} from '#api';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newCredential } from '#platform/ids.ts';
import type { ApplicationRow } from '#schema';
import { newAuthor, renameAuthor } from '../../people/users/index.ts';
import type { Recorder } from '../../stewardship/audit/index.ts';
import type { ApplicationListener, NewWebhookKey, RecordChange } from './application.facts.ts';
import { applicationHands } from './application.hands.ts';
import type { ApplicationChange, ChangedApplication, NewApplication } from './application.schema.ts';
import { applicationSecrets } from './application.secrets.ts';
import {
  closeApplication,
  countOwned,
  expireSecrets,
  findApplication,
  findOwnersFacts,
  insertApplication,
  listDirectory,
  listOwned,
  lockApplication,
  updateApplication,
} from './application.store.ts';
import { applicationViews, linkPrefixesOf, redirectUrisOf, scopesOf } from './application.view.ts';
import { isPublic, NO_SECRET, refuseMisfits, refusePublic } from './client-type.ts';
import { readNamed } from './commands.ts';
import { OWN_ADDRESSES, readAddresses } from './read-addresses.ts';
import { refuseSuspended } from './suspension.ts';

/** The applications of one owner; more than these they may be given. */
export const MOST_OWNED = 500;

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

  const recordChange: RecordChange = (tx, action, id, detail = {}) =>
    record(tx, { action, target: ['application', id], detail });
  const policy = () => ({ allowLoopback, origin: baseUrl() });
  const views = applicationViews({ clock, policy });
  const secrets = applicationSecrets({ cipher, clock });
  const changing = { db, clock, publish, lockOwner, recordChange };
  const { takeOver, ...hands } = applicationHands({ ...changing, secrets, views, renewWebhookKeys });

  /** @returns the application with the only readable copy of its secret, if it has one */
  async function register(tx: Tx, ownerId: string, given: NewApplication) {
    const fields = readAddresses(given, [], policy());
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
      ...(await views.ofOwner(tx, row)),
      ...(key !== undefined && { interaction_key: key }),
      ...(!isPublic(row) && { client_secret: await secrets.add(tx, row.id, now) }),
    };
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
    const fields = readAddresses(given, redirectUrisOf(row), policy());
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
    return { ...(await views.ofOwner(tx, changed)), ...(key !== undefined && { interaction_key: key }) };
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

  /** The previous secret stays valid during the overlap, so that the new one can be rolled out. */
  async function rotateSecret(tx: Tx, userId: string, id: string, overlapSeconds: number) {
    const row = await lockOwn(tx, userId, id);
    if (row.awaits_owner_since !== null) return takeOver(tx, row);
    refusePublic(row);
    await secrets.refuseSecondRotation(tx, row);
    const until = clock() + overlapSeconds * 1000;
    await expireSecrets.run(tx, { applicationId: row.id, at: until });
    if (overlapSeconds === 0) await publish(tx, { kind: 'credentials_ended', application: row });
    await recordChange(tx, 'application.secret_rotated', row.id, { overlap_seconds: overlapSeconds });
    return {
      id: row.id,
      client_secret: await secrets.add(tx, row.id, clock()),
      previous_expires_at: timestamp(until),
    };
  }

  /** @throws NotAllowed for an application that sleeps */
  async function refuseAsleep(reader: Reader, id: string): Promise<void> {
    const row = await findApplication.first(reader, { id });
    if (row) refuseSuspended(row);
  }

  const get = async (userId: string, id: string) => views.ofOwner(db, await accessOwn(db, userId, id));

  const directory = async () => (await listDirectory.all(db, {})).map(views.ofAll);
  const byId = (reader: Reader, id: string) => findApplication.first(reader, { id });

  return {
    ...hands,
    register,
    accessOwn,
    lockOwn,
    change,
    remove,
    refuseOwner,
    refuseAsleep,
    rotateSecret,
    secretsToSign: secrets.toSign,
    get,
    owned: (userId: string) => views.owned(db, userId),
    directory,
    presentPublic: views.ofAll,
    byId,
  };
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
