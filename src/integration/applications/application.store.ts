import { type ExpressionBuilder, sql } from 'kysely';
import { inIdList, locked } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import {
  type ApplicationRow,
  type ApplicationSecretRow,
  type ApplicationStepRow,
  rewriting,
  statement,
  type Tables,
} from '#schema';
import { NO_SECRET } from './client-type.ts';
import { isAwake } from './suspension.ts';

export const findApplication = statement<{ id: string }>()((q, p) =>
  q.selectFrom('applications').selectAll().where('id', '=', p.id).where('active', '=', 1),
);

/** Locks the row against other changes until the transaction ends. */
export const lockApplication = statement<{ id: string }>()((q, p, dialect) => {
  const found = q.selectFrom('applications').selectAll().where('id', '=', p.id).where('active', '=', 1);
  return locked(dialect, found, 'no key update');
});

/** Locks the row against changes and deletion until the transaction ends; several transactions may do so at once. */
export const shareApplication = statement<{ id: string }>()((q, p, dialect) => {
  const found = q.selectFrom('applications').selectAll().where('id', '=', p.id).where('active', '=', 1);
  return locked(dialect, found, 'share');
});

/** Includes deleted applications, whose name still appears in the history. */
export const findAnyApplication = statement<{ id: string }>()((q, p) =>
  q.selectFrom('applications').selectAll().where('id', '=', p.id),
);

export const insertApplication = statement<Omit<ApplicationRow, 'author_id'>>()((q, p) =>
  q.insertInto('applications').values({
    id: p.id,
    owner_id: p.owner_id,
    name: p.name,
    description: p.description,
    icon: p.icon,
    base_url: p.base_url,
    preinstall_url: p.preinstall_url,
    uninstall_url: p.uninstall_url,
    team_update_url: p.team_update_url,
    redirect_uris_json: p.redirect_uris_json,
    scopes_json: p.scopes_json,
    link_prefixes_json: p.link_prefixes_json,
    commands_json: p.commands_json,
    shortcuts_json: p.shortcuts_json,
    has_home: p.has_home,
    listed: p.listed,
    require_pkce: p.require_pkce,
    initiate_login_uri: p.initiate_login_uri,
    token_endpoint_auth_method: p.token_endpoint_auth_method,
    active: p.active,
    suspended_at: p.suspended_at,
    awaits_owner_since: p.awaits_owner_since,
    awaits_owner_why: p.awaits_owner_why,
    woken_at: p.woken_at,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

type Standing = 'suspended_at' | 'awaits_owner_since' | 'awaits_owner_why' | 'woken_at';

/** The columns that the owner may change. */
export const updateApplication = statement<
  Omit<ApplicationRow, 'owner_id' | 'author_id' | 'active' | 'created_at' | Standing>
>()((q, p) =>
  q
    .updateTable('applications')
    .set({
      name: p.name,
      description: p.description,
      icon: p.icon,
      base_url: p.base_url,
      preinstall_url: p.preinstall_url,
      uninstall_url: p.uninstall_url,
      team_update_url: p.team_update_url,
      redirect_uris_json: p.redirect_uris_json,
      scopes_json: p.scopes_json,
      link_prefixes_json: p.link_prefixes_json,
      commands_json: p.commands_json,
      shortcuts_json: p.shortcuts_json,
      has_home: p.has_home,
      listed: p.listed,
      require_pkce: p.require_pkce,
      initiate_login_uri: p.initiate_login_uri,
      token_endpoint_auth_method: p.token_endpoint_auth_method,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
);

/** Of what it writes as itself. */
export const setAuthor = statement<{ id: string; authorId: string }>()((q, p) =>
  q.updateTable('applications').set({ author_id: p.authorId }).where('id', '=', p.id),
);

/** Keeps the row, because the name still appears in the history. */
export const closeApplication = statement<{ id: string; now: number }>()((q, p) =>
  q.updateTable('applications').set({ active: 0, updated_at: p.now }).where('id', '=', p.id),
);

export const changeOwner = statement<{ id: string; ownerId: string; now: number }>()((q, p) =>
  q.updateTable('applications').set({ owner_id: p.ownerId, updated_at: p.now }).where('id', '=', p.id),
);

/** Puts it to sleep until its owner takes it over. */
export const awaitOwner = statement<Pick<ApplicationRow, 'id' | 'awaits_owner_why'> & { now: number }>()(
  (q, p) =>
    q
      .updateTable('applications')
      .set({ awaits_owner_since: p.now, awaits_owner_why: p.awaits_owner_why, updated_at: p.now })
      .where('id', '=', p.id),
);

export const endAwaiting = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('applications')
    .set({ awaits_owner_since: null, awaits_owner_why: null, woken_at: p.now, updated_at: p.now })
    .where('id', '=', p.id),
);

/** The decision of the operator. */
export const setSuspended = statement<{ id: string; since: number | null; now: number }>()((q, p) =>
  q
    .updateTable('applications')
    .set({ suspended_at: p.since, updated_at: p.now, ...(p.since === null && { woken_at: p.now }) })
    .where('id', '=', p.id),
);

/** A page of the applications of an owner. */
export const pageOfOwned = statement<{ ownerId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('applications')
    .select('id')
    .where('owner_id', '=', p.ownerId)
    .where('active', '=', 1)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const countOwned = statement<{ ownerId: string }>()((q, p) =>
  q
    .selectFrom('applications')
    .select(sql<number>`count(*)`.as('count'))
    .where('owner_id', '=', p.ownerId)
    .where('active', '=', 1),
);

/** A page of the applications that act although the account of their owner is closed. */
export const pageOfOrphans = statement<{ after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('applications')
    .innerJoin('users', 'users.id', 'applications.owner_id')
    .select('applications.id')
    .where('applications.active', '=', 1)
    .where('applications.awaits_owner_since', 'is', null)
    .where('users.active', '=', 0)
    .where('applications.id', '>', p.after)
    .orderBy('applications.id')
    .limit(p.limit),
);

export const listOwned = statement<{ ownerId: string }>()((q, p) =>
  q
    .selectFrom('applications')
    .selectAll()
    .where('owner_id', '=', p.ownerId)
    .where('active', '=', 1)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1000),
);

/** The owner's applications with the facts of a list entry: a few index look-ups for each, at most a thousand. */
export const listOwnedWithFacts = statement<{ ownerId: string; now: number }>()((q, p) =>
  q
    .selectFrom('applications')
    .selectAll()
    .select((eb) => [
      previousSecretEnd(p.now).as('previous_secret_end'),
      callsFailingSince.as('calls_failing_since'),
      callsPausedUntil(p.now).as('calls_paused_until'),
      interactionUrl(eb).as('interaction_url'),
      eb
        .selectFrom('installations')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('installations.application_id', '=', 'applications.id')
        .where('installations.status', '=', sql.lit('active'))
        .as('num_installations'),
      lastDelivery(eb, 'status').as('last_status'),
      lastDelivery(eb, 'created_at').as('last_at'),
    ])
    .where('owner_id', '=', p.ownerId)
    .where('active', '=', 1)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1000),
);

const lastDelivery = <Column extends 'status' | 'created_at'>(
  eb: ExpressionBuilder<Tables, 'applications'>,
  column: Column,
) =>
  eb
    .selectFrom('deliveries')
    .select(`deliveries.${column}`)
    .whereRef('deliveries.application_id', '=', 'applications.id')
    .orderBy('deliveries.id', 'desc')
    .limit(1);

/** Where clicks are sent: the webhook of its own subscription. */
const interactionUrl = (eb: ExpressionBuilder<Tables, 'applications'>) =>
  eb
    .selectFrom('event_subscriptions')
    .select('event_subscriptions.webhook_url')
    .whereRef('event_subscriptions.application_id', '=', 'applications.id')
    .where('event_subscriptions.is_own', '=', sql.lit(1));

/** When the last previous secret expires; null without one. */
const previousSecretEnd = (now: number) => sql<number | null>`(
  SELECT max(expires_at) FROM application_secrets
  WHERE application_secrets.application_id = applications.id AND expires_at > ${now})`;

/** Since when all calls to it have failed; null while they succeed. */
const callsFailingSince = sql<number | null>`(
  SELECT failing_since FROM callback_queues WHERE callback_queues.application_id = applications.id)`;

/** When calls resume; null while they are not paused. */
const callsPausedUntil = (now: number) => sql<number | null>`(
  SELECT paused_until FROM callback_queues
  WHERE callback_queues.application_id = applications.id AND paused_until > ${now})`;

/** The facts that only the owner sees. */
export const findOwnersFacts = statement<{ id: string; now: number }>()((q, p) =>
  q
    .selectFrom('applications')
    .select((eb) => [
      previousSecretEnd(p.now).as('previous_secret_end'),
      callsFailingSince.as('calls_failing_since'),
      callsPausedUntil(p.now).as('calls_paused_until'),
      interactionUrl(eb).as('interaction_url'),
    ])
    .where('id', '=', p.id),
);

/** Finds which of these users own an application. */
export const listOwners = statement<{ userIds: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('applications')
    .select('owner_id')
    .distinct()
    .where(inIdList(dialect, 'owner_id', p.userIds))
    .where('active', '=', 1),
);

export const listDirectory = statement<object>()((q) =>
  q
    .selectFrom('applications')
    .selectAll()
    .where('listed', '=', 1)
    .where('active', '=', 1)
    .where(isAwake())
    .orderBy('name')
    .orderBy('id')
    .limit(1000),
);

/** Every application that exists, for the operator. */
export const listAllApplications = statement<object>()((q) =>
  q.selectFrom('applications').selectAll().where('active', '=', 1).orderBy('created_at').orderBy('id'),
);

export const insertSecret = statement<Omit<ApplicationSecretRow, 'expires_at'>>()((q, p) =>
  q.insertInto('application_secrets').values({
    id: p.id,
    application_id: p.application_id,
    ciphertext: p.ciphertext,
    created_at: p.created_at,
    expires_at: null,
  }),
);

export const rewriteSecrets = rewriting('application_secrets', { id: LOWEST_ID }, ['ciphertext']);

export const deleteEverySecret = statement<object>()((q) => q.deleteFrom('application_secrets'));

/** Includes deleted ones. */
export const listEveryConfidential = statement<object>()((q) =>
  q.selectFrom('applications').select('id').where('token_endpoint_auth_method', '<>', sql.lit(NO_SECRET)),
);

/** How clients prove who they are, and how they stand: a row for each valid secret, or one without any. */
export const findClients = statement<{ ids: readonly string[]; now: number }>()((q, p, dialect) =>
  q
    .selectFrom('applications')
    .leftJoin('application_secrets', (join) =>
      join
        .onRef('application_secrets.application_id', '=', 'applications.id')
        .on((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)])),
    )
    .select(['applications.id', 'token_endpoint_auth_method', 'application_secrets.ciphertext'])
    .select(['suspended_at', 'awaits_owner_since', 'awaits_owner_why'])
    .where(inIdList(dialect, 'applications.id', p.ids))
    .where('applications.active', '=', 1),
);

/** The valid secrets, newest first: the newest one signs and is sent. */
export const liveSecrets = statement<{ applicationId: string; now: number }>()((q, p) =>
  q
    .selectFrom('application_secrets')
    .innerJoin('applications', 'applications.id', 'application_secrets.application_id')
    .select('application_secrets.ciphertext')
    .where('application_id', '=', p.applicationId)
    .where('applications.active', '=', 1)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)]))
    .orderBy('application_secrets.id', 'desc'),
);

/** Includes those of a deleted application, which must still be notified that it was uninstalled. */
export const anyLiveSecrets = statement<{ applicationId: string; now: number }>()((q, p) =>
  q
    .selectFrom('application_secrets')
    .select(['ciphertext', 'created_at'])
    .where('application_id', '=', p.applicationId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)]))
    .orderBy('id', 'desc'),
);

/** Ends the overlap of every secret before the current one no later than the given time. */
export const expireSecrets = statement<{ applicationId: string; at: number }>()((q, p) =>
  q
    .updateTable('application_secrets')
    .set({ expires_at: p.at })
    .where('application_id', '=', p.applicationId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.at)])),
);

/** Does nothing when it was done before. */
export const noteStep = statement<ApplicationStepRow>()((q, p) =>
  q
    .insertInto('application_steps')
    .values({ application_id: p.application_id, step: p.step, done_at: p.done_at })
    .onConflict((conflict) => conflict.doNothing()),
);

export const listSteps = statement<{ applicationId: string }>()((q, p) =>
  q.selectFrom('application_steps').selectAll().where('application_id', '=', p.applicationId),
);
