import { randomBytes } from 'node:crypto';
import {
  type ApplicationPrincipal,
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
import { type Clock, newId, parseId } from '#platform/ids.ts';
import type { EventSubscriptionRow } from '#schema';
import { findBounds } from '../../conversation/live/index.ts';
import type { Recorder } from '../../stewardship/audit/index.ts';
import {
  type ApplicationFact,
  type ApplicationService,
  lockApplication,
  type NewWebhookKey,
  readAddress,
  refusePublic,
} from '../applications/index.ts';
import { giveUpEvents } from '../callbacks/index.ts';
import type { Clicks } from './clicks.ts';
import { deleteConsumer, deleteCursorsOf, insertConsumer } from './consumer.store.ts';
import { type HeardKind, scopesFor } from './kinds.ts';
import { listTeamsHearing } from './reach.store.ts';
import type { NewSubscription, Subscription, SubscriptionChange } from './subscription.schema.ts';
import { MOST_SUBSCRIPTIONS } from './subscription.schema.ts';
import {
  deleteConsumers,
  deleteCursors,
  deleteInstances,
  deleteSubscription,
  findOwn,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  lockConsumers,
  lockSenders,
  lockSubscription,
  replaceKey,
  rotateKey,
  updateSubscription,
} from './subscription.store.ts';
import { hurry } from './webhook.store.ts';

/** Names the application’s own subscription in addresses. */
export const OWN = 'own';
/** The kinds of events that are for one application alone. */
const OWN_KINDS: readonly HeardKind[] = [
  'interaction',
  'application.opened',
  'direct.posted',
  'direct.edited',
  'direct.deleted',
];
const PERSON_CHANGED = 'person.changed' satisfies HeardKind;
/** The fields that cannot be changed in an own subscription. */
const FILTERS = ['kinds', 'teams', 'mentions_only', 'own_messages', 'object_type'] as const;

/** An application by its credentials, or its owner by a session. */
export type Developer = ApplicationPrincipal | UserPrincipal;

export type TellEnd = (tx: Tx, applicationId: string) => Promise<void>;

export type SubscriptionService = ReturnType<typeof subscriptionService>;

export function subscriptionService(deps: {
  db: Database;
  clock: Clock;
  cipher: Cipher;
  allowLoopback: boolean;
  baseUrl: () => string;
  applications: ApplicationService;
  record: Recorder;
  wakeWorker: () => void;
  /** Tells all nodes that streams of the application may have ended. */
  tellEnd: TellEnd;
  clicks: Clicks;
}) {
  const { db, clock, cipher, allowLoopback, baseUrl, applications, record, wakeWorker, tellEnd, clicks } =
    deps;

  /** A webhook is a way out of the server: who opened or closed it can be looked up. */
  const recordChange = (tx: Tx, applicationId: string, part: 'subscriptions' | 'webhook_key') =>
    record(tx, {
      action: 'application.changed',
      target: ['application', applicationId],
      detail: { fields: [part] },
    });

  /** The road from an address to an application. @throws NotAuthorized @throws NotFound */
  async function accessApplication(reader: Reader, caller: Developer, id: string): Promise<string> {
    if ('userId' in caller) return (await applications.accessOwn(reader, caller.userId, id)).id;
    if (parseId(id) !== caller.applicationId) throw new NotAuthorized();
    return caller.applicationId;
  }

  /** The road from an address to a subscription. @throws NotAuthorized @throws NotFound */
  async function access(
    reader: Reader,
    caller: Developer,
    of: { application: string; subscription: string },
  ): Promise<EventSubscriptionRow> {
    const applicationId = await accessApplication(reader, caller, of.application);
    const row =
      of.subscription === OWN
        ? await findOwn.first(reader, { applicationId })
        : await lookUp(of.subscription, (id) => findSubscription.first(reader, { id }));
    if (row?.application_id !== applicationId) throw new NotFound();
    return row;
  }

  async function accessLocked(tx: Tx, caller: Developer, of: { application: string; subscription: string }) {
    const { id } = await access(tx, caller, of);
    const row = await lockSubscription.first(tx, { id });
    if (!row) throw new NotFound();
    return row;
  }

  function readUrl(url: string): string {
    const address = readAddress(url, { allowLoopback, origin: baseUrl() });
    if (address.ok) return address.href;
    throw new InvalidFields({ field: 'webhook.url', message: address.detail });
  }

  function readTeams(teams: readonly string[]): string {
    const ids = teams.map((team, index) => {
      const id = parseId(team);
      if (id === undefined)
        throw new InvalidFields({ field: `teams.${index}`, message: 'must be the id of a team' });
      return id;
    });
    return JSON.stringify([...new Set(ids)]);
  }

  const newestPlace = async (reader: Reader) => Number((await findBounds.first(reader, {}))?.newest ?? 0);

  /** @throws Conflict for one more than an application may have */
  async function create(tx: Tx, caller: Developer, application: string, given: NewSubscription) {
    const applicationId = await accessApplication(tx, caller, application);
    // Two that come at once are counted one after the other.
    await lockListener(tx, applicationId);
    const others = (await listSubscriptions.all(tx, { applicationId })).filter(({ is_own }) => is_own === 0);
    if (others.length >= MOST_SUBSCRIPTIONS)
      throw new Conflict(
        'too_many_subscriptions',
        `An application has at most ${MOST_SUBSCRIPTIONS} subscriptions`,
      );
    const { webhook } = given;
    if (webhook) demandPassword(caller);
    const row: EventSubscriptionRow = {
      ...newSubscription(applicationId, await newestPlace(tx), clock()),
      kinds_json: JSON.stringify(given.kinds),
      teams_json: given.teams ? readTeams(given.teams) : null,
      mentions_only: Number(given.mentions_only ?? false),
      own_messages: Number(given.own_messages ?? false),
      object_type: given.object_type ?? null,
      webhook_url: webhook ? readUrl(webhook.url) : null,
      batch: webhook?.batch ?? 1,
    };
    const key = webhook ? newKey() : undefined;
    await insertSubscription(tx, [
      { ...row, key_ciphertext: key === undefined ? null : cipher.encrypt(key) },
    ]);
    if (webhook) await begin(tx, row, row.begins_at);
    await recordChange(tx, applicationId, 'subscriptions');
    return { ...presentSubscription(row), ...(key !== undefined && { key }) };
  }

  /** @throws NotFound @throws Conflict for a public application, which hears nothing */
  async function lockListener(tx: Tx, applicationId: string): Promise<void> {
    const locked = await lockApplication.first(tx, { id: applicationId });
    if (!locked) throw new NotFound();
    refusePublic(locked);
  }

  /** The application’s own subscription, made when it first listens. @throws NotFound */
  async function openOwn(tx: Tx, applicationId: string): Promise<EventSubscriptionRow> {
    await lockListener(tx, applicationId);
    const found = await findOwn.first(tx, { applicationId });
    if (found) return found;
    const row: EventSubscriptionRow = {
      ...newSubscription(applicationId, await newestPlace(tx), clock()),
      kinds_json: JSON.stringify(OWN_KINDS),
      is_own: 1,
    };
    await insertSubscription(tx, [row]);
    await recordChange(tx, applicationId, 'subscriptions');
    return row;
  }

  /** The same for a request of the application. @throws NotAuthorized @throws NotFound */
  async function accessOwn(caller: ApplicationPrincipal, application: string): Promise<EventSubscriptionRow> {
    const applicationId = await accessApplication(db, caller, application);
    const found = await findOwn.first(db, { applicationId });
    return found ?? db.write((tx) => openOwn(tx, applicationId));
  }

  /** Sets where clicks are sent. @param url as `readAddress` gives it @returns the key, of an address where none was before */
  async function setOwnAddress(
    tx: Tx,
    applicationId: string,
    url: string | null,
  ): Promise<string | undefined> {
    const own = url === null ? await findOwn.first(tx, { applicationId }) : await openOwn(tx, applicationId);
    const row = own && (await lockSubscription.first(tx, { id: own.id }));
    return row && (await applyChange(tx, row, {}, url)).key;
  }

  /** The webhook's own consumer. */
  async function begin(tx: Tx, { id }: EventSubscriptionRow, place: number): Promise<void> {
    const now = clock();
    await insertConsumer(tx, [
      {
        id: newId(),
        subscription_id: id,
        kind: 'webhook',
        name: '',
        place,
        up_to: null,
        used_at: now,
        created_at: now,
      },
    ]);
    tx.afterCommit(wakeWorker);
  }

  /** @throws Conflict for pausing without a webhook */
  async function change(
    tx: Tx,
    caller: Developer,
    of: { application: string; subscription: string },
    given: SubscriptionChange,
  ) {
    const row = await accessLocked(tx, caller, of);
    if (row.is_own === 1 && FILTERS.some((name) => given[name] !== undefined))
      throw new Conflict(
        'own_subscription',
        'The application’s own subscription hears all that is for it: only its webhook can be changed',
      );
    const { webhook } = given;
    const url = webhook ? readUrl(webhook.url) : webhook === null ? null : row.webhook_url;
    if (url !== null && url !== row.webhook_url) demandPassword(caller);
    return applyChange(tx, row, given, url);
  }

  /** @param url where the webhook is from now on, null for none */
  async function applyChange(
    tx: Tx,
    row: EventSubscriptionRow,
    given: SubscriptionChange,
    url: string | null,
  ) {
    const { webhook, teams, object_type } = given;
    const isNew = url !== null && row.key_ciphertext === null;
    const key = isNew ? newKey() : undefined;
    if (given.pause === true && given.resume === true)
      throw new InvalidFields({ field: 'pause', message: 'Give either pause or resume' });
    if (given.pause === true && url === null)
      throw new Conflict('no_webhook', 'The subscription has no webhook');
    // Another address has another record.
    const restarts = given.resume === true || url !== row.webhook_url;
    const changed: EventSubscriptionRow = {
      ...row,
      kinds_json: given.kinds ? JSON.stringify(given.kinds) : row.kinds_json,
      teams_json: teams === undefined ? row.teams_json : teams === null ? null : readTeams(teams),
      mentions_only: given.mentions_only === undefined ? row.mentions_only : Number(given.mentions_only),
      own_messages: given.own_messages === undefined ? row.own_messages : Number(given.own_messages),
      object_type: object_type === undefined ? row.object_type : object_type,
      webhook_url: url,
      batch: webhook?.batch ?? row.batch,
      key_ciphertext: key === undefined ? row.key_ciphertext : cipher.encrypt(key),
      ...(restarts && { num_failures: 0, failing_since: null, num_pauses: 0, paused_until: 0 }),
      ended: given.pause === true ? 'paused' : endedAfter(row, { url, resume: given.resume === true }),
      updated_at: clock(),
    };
    await updateSubscription.run(tx, changed);
    await recordChange(tx, row.application_id, 'subscriptions');
    if (restarts) await hurry.run(tx, { subscriptionId: row.id });
    if (url === null) await endWebhook(tx, row);
    else if (row.webhook_url === null) await begin(tx, row, await newestPlace(tx));
    await tellEnd(tx, row.application_id);
    tx.afterCommit(wakeWorker);
    return { ...presentSubscription(changed), ...(key !== undefined && { key }) };
  }

  const giveUp = (tx: Tx, { id, application_id }: EventSubscriptionRow) =>
    giveUpEvents.run(tx, { applicationId: application_id, subscriptionId: id, now: clock() });

  /** Replays end too: another webhook is sent what happens from then on. */
  async function endWebhook(tx: Tx, row: EventSubscriptionRow): Promise<void> {
    for (const { id } of await lockSenders.all(tx, { id: row.id })) {
      await deleteCursorsOf.run(tx, { consumerId: id });
      await deleteConsumer.run(tx, { id });
    }
    await giveUp(tx, row);
  }

  /** The key before stays good during the overlap: calls are signed with both. @throws Conflict without a webhook */
  async function newKeyFor(
    tx: Tx,
    caller: Developer,
    of: { application: string; subscription: string },
    overlapSeconds: number,
  ) {
    const row = await accessLocked(tx, caller, of);
    if (row.webhook_url === null) throw new Conflict('no_webhook', 'The subscription has no webhook');
    const key = newKey();
    const now = clock();
    const until = now + overlapSeconds * 1000;
    await recordChange(tx, row.application_id, 'webhook_key');
    await rotateKey.run(tx, { id: row.id, ciphertext: cipher.encrypt(key), until, now });
    return { key, previous_expires_at: timestamp(until) };
  }

  /** For an owner who takes an application over: keys that others may know sign nothing any more. */
  async function renewKeys(tx: Tx, applicationId: string): Promise<NewWebhookKey[]> {
    const now = clock();
    const renewed: NewWebhookKey[] = [];
    for (const { id } of await listSubscriptions.all(tx, { applicationId })) {
      const row = await lockSubscription.first(tx, { id });
      if (!row || row.webhook_url === null) continue;
      const key = newKey();
      await replaceKey.run(tx, { id, ciphertext: cipher.encrypt(key), now });
      renewed.push({ subscription: id, key });
    }
    return renewed;
  }

  /**
   * Whether an application hears events of one of these kinds of a team.
   * @param granted by the team; without it, that is not asked
   */
  async function hears(
    tx: Tx,
    applicationId: string,
    team: string,
    kinds: readonly HeardKind[],
    granted?: readonly string[],
  ): Promise<boolean> {
    const isOpen = (kind: HeardKind) =>
      granted === undefined || (scopesFor(kind)?.some((scope) => granted.includes(scope)) ?? true);
    const open = kinds.filter(isOpen);
    const rows = await listSubscriptions.all(tx, { applicationId });
    return rows.some(({ kinds_json, teams_json, ended }) => {
      const teams = teams_json === null ? undefined : (JSON.parse(teams_json) as string[]);
      const heard = JSON.parse(kinds_json) as HeardKind[];
      return !ended && open.some((kind) => heard.includes(kind)) && (teams?.includes(team) ?? true);
    });
  }

  /** For an application that becomes public, and would hear nothing more. @throws Conflict */
  async function refuseSubscribed(tx: Tx, applicationId: string): Promise<void> {
    if ((await listSubscriptions.all(tx, { applicationId })).length > 0)
      throw new Conflict(
        'has_subscriptions',
        'Delete its subscriptions first: a public application hears no events',
      );
  }

  /** @returns those among some teams in which an application hears how its members are */
  const teamsHearing = async (tx: Tx, teamIds: readonly string[]): Promise<string[]> =>
    (await listTeamsHearing.all(tx, { teamIds, kind: PERSON_CHANGED })).map(({ team_id }) => team_id);

  /** Streams end, or what waited is sent. */
  async function onStandingChange(tx: Tx): Promise<void> {
    tx.afterCommit(wakeWorker);
  }

  async function list(caller: Developer, application: string): Promise<Subscription[]> {
    const applicationId = await accessApplication(db, caller, application);
    return (await listSubscriptions.all(db, { applicationId })).map(presentSubscription);
  }

  async function remove(tx: Tx, caller: Developer, of: { application: string; subscription: string }) {
    const row = await accessLocked(tx, caller, of);
    await end(tx, row);
    await tellEnd(tx, row.application_id);
    await clicks.hurry(tx, row.application_id);
    await recordChange(tx, row.application_id, 'subscriptions');
  }

  async function end(tx: Tx, row: EventSubscriptionRow): Promise<void> {
    const { id } = row;
    // The lock that taking teams and acknowledging begin with, so that no cursor is added meanwhile.
    await lockConsumers.all(tx, { id });
    await deleteCursors.run(tx, { id });
    await deleteInstances.run(tx, { id });
    await deleteConsumers.run(tx, { id });
    await deleteSubscription.run(tx, { id });
    await giveUp(tx, row);
  }

  async function onApplicationDelete(tx: Tx, { application }: ApplicationFact): Promise<void> {
    for (const row of await listSubscriptions.all(tx, { applicationId: application.id })) {
      await lockSubscription.first(tx, { id: row.id });
      await end(tx, row);
    }
  }

  /** Who answers for what the application asks for. @throws NotFound for one that was deleted */
  async function ownerOf(applicationId: string): Promise<string> {
    const row = await applications.byId(db, applicationId);
    if (!row) throw new NotFound();
    return row.owner_id;
  }

  const get = async (caller: Developer, of: { application: string; subscription: string }) =>
    presentSubscription(await access(db, caller, of));

  return {
    access,
    accessOwn,
    setOwnAddress,
    ownerOf,
    accessLocked,
    create,
    change,
    newKeyFor,
    renewKeys,
    hears,
    refuseSubscribed,
    onStandingChange,
    teamsHearing,
    list,
    get,
    remove,
    onApplicationDelete,
    newestPlace,
  };
}

/** Another address starts without failures, but what its owner paused stays so until it is resumed. */
function endedAfter(
  { ended, webhook_url }: EventSubscriptionRow,
  { url, resume }: { url: string | null; resume: boolean },
): EventSubscriptionRow['ended'] {
  if (resume || url === null) return null;
  return url !== webhook_url && ended !== 'paused' ? null : ended;
}

const newSubscription = (applicationId: string, place: number, now: number): EventSubscriptionRow => ({
  id: newId(),
  application_id: applicationId,
  kinds_json: '[]',
  teams_json: null,
  mentions_only: 0,
  own_messages: 0,
  is_own: 0,
  object_type: null,
  begins_at: place,
  webhook_url: null,
  batch: 1,
  key_ciphertext: null,
  previous_key_ciphertext: null,
  previous_key_until: null,
  ended: null,
  num_failures: 0,
  failing_since: null,
  num_pauses: 0,
  paused_until: 0,
  called_at: 0,
  created_at: now,
  updated_at: now,
});

/** Standard Webhooks: 192 bits. */
const newKey = () => `whsec_${randomBytes(24).toString('base64')}`;

function presentSubscription(row: EventSubscriptionRow): Subscription {
  const { webhook_url: url, batch, ended, failing_since, paused_until } = row;
  return {
    id: row.id,
    application: row.application_id,
    kinds: JSON.parse(row.kinds_json) as string[],
    teams: row.teams_json === null ? null : (JSON.parse(row.teams_json) as string[]),
    mentions_only: row.mentions_only === 1,
    own_messages: row.own_messages === 1,
    object_type: row.object_type,
    own: row.is_own === 1,
    webhook:
      url === null
        ? null
        : {
            url,
            batch,
            ended,
            failing_since: failing_since === null ? null : timestamp(failing_since),
            paused_until: paused_until === 0 ? null : timestamp(paused_until),
          },
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}
