import { statement, type UserRow } from '../schema/index.ts';

export const findUser = statement<{ id: string }>()((q, p) =>
  q.selectFrom('users').selectAll().where('id', '=', p.id),
);

export const findUserByEmail = statement<{ emailKey: string }>()((q, p) =>
  q.selectFrom('users').selectAll().where('email_key', '=', p.emailKey),
);

/** Gives no row when the address or the user name is taken. */
export const insertUser = statement<UserRow>()((q, p) =>
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
      title: p.title,
      location: p.location,
      company: p.company,
      superuser: p.superuser,
      active: p.active,
      prefs_json: p.prefs_json,
      image_version: p.image_version,
      online_until: p.online_until,
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

/** Gives no row when there is no such user. */
export const updateUser = statement<UserRow>()((q, p) =>
  q
    .updateTable('users')
    .set({
      username: p.username,
      username_key: p.username_key,
      first_name: p.first_name,
      last_name: p.last_name,
      name_key: p.name_key,
      title: p.title,
      location: p.location,
      company: p.company,
      prefs_json: p.prefs_json,
      superuser: p.superuser,
      active: p.active,
      password_hash: p.password_hash,
      image_version: p.image_version,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id)
    .returning('id'),
);

export const markEmailVerified = statement<{ id: string; now: number }>()((q, p) =>
  q.updateTable('users').set({ email_verified: 1, updated_at: p.now }).where('id', '=', p.id),
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
