import { type Expression, type Kysely, sql } from 'kysely';
import {
  type Column,
  columnsOf,
  type Dialect,
  inIdList,
  locked,
  packing,
  type Reader,
} from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import { query, statement, type Tables, type UserRow } from '#schema';
import { columnsNow, isInTeam, isKnownTo, type Onlooker, whereaboutsColumns } from './known.store.ts';
import { anywhere, namedLike } from './people-search.ts';
import { namedFields, type PersonRow, type SummaryRow, summaryFields } from './user.present.ts';

export const findUser = statement<{ id: string }>()((q, p) =>
  q.selectFrom('users').selectAll().where('id', '=', p.id),
);

export const listPrefs = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('users')
    .select(['id', 'prefs_json', 'is_invisible'])
    .where(inIdList(dialect, 'id', p.ids)),
);

export const findUsers = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('users')
    .selectAll()
    .where(inIdList(dialect, 'id', p.ids)),
);

/**
 * The columns of a {@link PersonRow}, of a table that stands for `users`. One who is online is so for ever, and an end that
 * has passed is none, so that they are the same as long as the summary is.
 */
export const summaryColumns = (table: string, now: number): Record<keyof PersonRow, Column> => ({
  ...columnsOf(table, summaryFields),
  ...columnsNow(table, now),
});

const summary = packing<PersonRow>(...summaryFields);

export const unpackSummary = summary.unpack;

/** @param now for who is online */
export const packSummary = (dialect: Dialect, now: number) =>
  summary.pack(dialect, summaryColumns('users', now));

interface Some {
  readonly ids: readonly string[];
}

function somePeople(q: Kysely<Tables>, { ids }: Some, dialect: Dialect, isKnown: Expression<unknown>) {
  const { online_until, status_json, do_not_disturb_until } = whereaboutsColumns('users', isKnown);
  return q
    .selectFrom('users')
    .select(['id', ...namedFields, 'is_application'])
    .select([
      online_until.as('online_until'),
      status_json.as('status_json'),
      do_not_disturb_until.as('do_not_disturb_until'),
    ])
    .where(inIdList(dialect, 'id', ids));
}

const findForUser = statement<Some & { userId: string }>()((q, p, dialect) =>
  somePeople(q, p, dialect, isKnownTo({ userId: p.userId }, sql.ref('users.id'))),
);

const findForTeam = statement<Some & { teamId: string }>()((q, p, dialect) =>
  somePeople(q, p, dialect, isInTeam(p.teamId, sql.ref('users.id'))),
);

/** People as somebody sees them: how they are, only of those with whom they share a team. */
export async function findSummaries(
  db: Reader,
  { userId, onlyTeam }: Onlooker,
  ids: readonly string[],
): Promise<SummaryRow[]> {
  if (onlyTeam !== undefined) return findSummariesIn(db, onlyTeam, ids);
  return ids.length === 0 ? [] : findForUser.all(db, { ids, userId });
}

/** People as all of a team see them. */
export async function findSummariesIn(
  db: Reader,
  teamId: string,
  ids: readonly string[],
): Promise<SummaryRow[]> {
  return ids.length === 0 ? [] : findForTeam.all(db, { ids, teamId });
}

/** Locks a user until the end of the transaction. */
export const lockUser = statement<{ id: string }>()((q, p, dialect) => {
  const found = q.selectFrom('users').selectAll().where('id', '=', p.id);
  return locked(dialect, found, 'no key update');
});

/** Gives a row for an account that works, and that goes on working until the transaction ends. */
export const lockActiveUser = statement<{ id: string }>()((q, p, dialect) => {
  const found = q.selectFrom('users').select('id').where('id', '=', p.id).where('active', '=', 1);
  return locked(dialect, found, 'share');
});

/** The same, against all others who hold it so: one after the other counts what the account has. */
export const lockActiveUserAlone = statement<{ id: string }>()((q, p, dialect) => {
  const found = q.selectFrom('users').select('id').where('id', '=', p.id).where('active', '=', 1);
  return locked(dialect, found, 'no key update');
});

/** Locks all administrators, which serialises changes of the role. */
export const lockSuperusers = statement<object>()((q, _, dialect) => {
  const found = q
    .selectFrom('users')
    .select('id')
    .where('superuser', '=', 1)
    .where('active', '=', 1)
    .orderBy('id');
  return locked(dialect, found, 'no key update');
});

export const findUserByEmail = statement<{ emailKey: string }>()((q, p) =>
  q.selectFrom('users').selectAll().where('email_key', '=', p.emailKey),
);

/** Gives no row when the address or the user name is taken. */
export const insertUser = statement<
  Omit<
    UserRow,
    | 'deleted_at'
    | 'all_read_up_to'
    | 'is_application'
    | 'time_zone'
    | 'status_json'
    | 'status_until'
    | 'do_not_disturb_until'
    | 'is_invisible'
  >
>()((q, p) =>
  q
    .insertInto('users')
    .values({
      id: p.id,
      username: p.username,
      username_key: p.username_key,
      email_id: p.email_id,
      email: p.email,
      email_key: p.email_key,
      email_verified: p.email_verified,
      password_hash: p.password_hash,
      first_name: p.first_name,
      last_name: p.last_name,
      name_key: p.name_key,
      search_key: p.search_key,
      title: p.title,
      location: p.location,
      company: p.company,
      superuser: p.superuser,
      active: p.active,
      prefs_json: p.prefs_json,
      image_version: p.image_version,
      online_until: p.online_until,
      do_not_disturb_until: 0,
      is_invisible: 0,
      is_application: 0,
      created_at: p.created_at,
      updated_at: p.updated_at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

export const anyUser = statement<object>()((q) => q.selectFrom('users').select('id').limit(1));

/** Gives a row to one caller only, ever: two who sign up at once do not both become the administrator. */
export const claimFirstAccount = statement<object>()((q) =>
  q
    .insertInto('server_state')
    .values({ name: 'first_account', value: 'made' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name'),
);

export const usernameTaken = statement<{ key: string }>()((q, p) =>
  q.selectFrom('users').select('id').where('username_key', '=', p.key),
);

/** A group of a team of theirs that is called by a name. */
export const groupNamed = statement<{ key: string; userId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('people_groups', 'people_groups.team_id', 'memberships.team_id')
    .select('people_groups.id')
    .where('memberships.user_id', '=', p.userId)
    .where('people_groups.name_key', '=', p.key)
    .limit(1),
);

/** The columns of the profile. Each other column that changes has its own statement. */
export type ProfileRow = Pick<
  UserRow,
  | 'id'
  | 'username'
  | 'username_key'
  | 'first_name'
  | 'last_name'
  | 'name_key'
  | 'search_key'
  | 'title'
  | 'location'
  | 'company'
  | 'prefs_json'
  | 'time_zone'
  | 'updated_at'
>;

export const updateProfile = statement<ProfileRow>()((q, p) =>
  q
    .updateTable('users')
    .set({
      username: p.username,
      username_key: p.username_key,
      first_name: p.first_name,
      last_name: p.last_name,
      name_key: p.name_key,
      search_key: p.search_key,
      title: p.title,
      location: p.location,
      company: p.company,
      prefs_json: p.prefs_json,
      time_zone: p.time_zone,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
);

export const updateWhereabouts = statement<
  Pick<UserRow, 'id' | 'status_json' | 'status_until' | 'do_not_disturb_until' | 'is_invisible'>
>()((q, p) =>
  q
    .updateTable('users')
    .set({
      status_json: p.status_json,
      status_until: p.status_until,
      do_not_disturb_until: p.do_not_disturb_until,
      is_invisible: p.is_invisible,
    })
    .where('id', '=', p.id),
);

export const updatePassword = statement<{ id: string; passwordHash: string; now: number }>()((q, p) =>
  q.updateTable('users').set({ password_hash: p.passwordHash, updated_at: p.now }).where('id', '=', p.id),
);

export const updateSuperuser = statement<{ id: string; superuser: number; now: number }>()((q, p) =>
  q.updateTable('users').set({ superuser: p.superuser, updated_at: p.now }).where('id', '=', p.id),
);

export const updateActive = statement<{ id: string; active: number; now: number }>()((q, p) =>
  q.updateTable('users').set({ active: p.active, updated_at: p.now }).where('id', '=', p.id),
);

export const updateImageVersion = statement<{ id: string; version: string | null; now: number }>()((q, p) =>
  q.updateTable('users').set({ image_version: p.version, updated_at: p.now }).where('id', '=', p.id),
);

/** Gives no row where it was proved before. */
export const markEmailVerified = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('users')
    .set({ email_verified: 1, updated_at: p.now })
    .where('id', '=', p.id)
    .where('email_verified', '=', 0)
    .returning('id'),
);

/** Everything up to this message was marked as read at once. */
export const setAllRead = statement<{ userId: string; upTo: string }>()((q, p) =>
  q.updateTable('users').set({ all_read_up_to: p.upTo }).where('id', '=', p.userId),
);

/** Blanks the personal data, except the unique keys by which a user is found. */
export const eraseUser = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('users')
    .set({
      email: '',
      email_verified: 0,
      password_hash: '',
      first_name: 'Deleted user',
      last_name: '',
      name_key: 'deleted user ',
      search_key: '',
      title: '',
      location: '',
      company: '',
      superuser: 0,
      active: 0,
      prefs_json: '{}',
      image_version: null,
      online_until: 0,
      all_read_up_to: null,
      time_zone: null,
      status_json: null,
      status_until: null,
      do_not_disturb_until: 0,
      is_invisible: 0,
      updated_at: p.now,
      deleted_at: p.now,
    })
    .where('id', '=', p.id),
);

/** No user name and no address can be like the placeholder. */
export const freeNames = statement<{ id: string; placeholder: string }>()((q, p) =>
  q
    .updateTable('users')
    .set({ username: p.placeholder, username_key: p.placeholder, email_key: p.placeholder })
    .where('id', '=', p.id),
);

export interface UsersFilter {
  /** Text that fits to the names, or stands anywhere in the address. */
  text: string | undefined;
  after: readonly string[] | undefined;
  limit: number;
}

/** Every account but the deleted ones, by name, then id. */
export function listUsers(db: Reader, { text, after, limit }: UsersFilter): Promise<UserRow[]> {
  return query(db, (q) => {
    let found = q.selectFrom('users').selectAll().where('deleted_at', 'is', null);
    if (text !== undefined) {
      found = found.where(sql<boolean>`(${namedLike(text)} OR email_key LIKE ${anywhere(text)} ESCAPE '\\')`);
    }
    const [name = '', last] = after ?? [];
    const id = parseId(last);
    if (id !== undefined) {
      found = found.where((eb) =>
        eb.or([eb('name_key', '>', name), eb.and([eb('name_key', '=', name), eb('id', '>', id)])]),
      );
    }
    return found.orderBy('name_key').orderBy('id').limit(limit);
  });
}

export const listImages = statement<{ userId: string }>()((q, p) =>
  q.selectFrom('user_images').selectAll().where('user_id', '=', p.userId).orderBy('variant'),
);

export const findImage = statement<{ userId: string; variant: string }>()((q, p) =>
  q.selectFrom('user_images').selectAll().where('user_id', '=', p.userId).where('variant', '=', p.variant),
);

export const deleteImages = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('user_images').where('user_id', '=', p.userId),
);

export const insertImage = statement<{
  userId: string;
  variant: string;
  contentType: string;
  content: string;
}>()((q, p) =>
  q
    .insertInto('user_images')
    .values({ user_id: p.userId, variant: p.variant, content_type: p.contentType, content: p.content }),
);
