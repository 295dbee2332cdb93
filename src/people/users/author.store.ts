import { statement } from '#schema';
import { nameKey } from './people-search.ts';

/** The columns of an author. */
interface Author {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly nameKey: string;
  readonly now: number;
}

/**
 * The author of what an application, or an incoming webhook, writes as itself. The row is like that of a deleted
 * account, which nothing lists, counts, addresses or lets in.
 * @param of.id of the new row
 */
export const newAuthor = (of: { id: string; name: string; now: number }): Author => ({
  ...of,
  // No user name and no address can be like it.
  handle: `application:${of.id}`,
  nameKey: nameKey({ first_name: of.name, last_name: '' }),
});

export const insertAuthor = statement<Author>()((q, p) =>
  q.insertInto('users').values({
    id: p.id,
    username: p.handle,
    username_key: p.handle,
    email_id: p.id,
    email: '',
    email_key: p.handle,
    email_verified: 0,
    password_hash: '',
    first_name: p.name,
    last_name: '',
    name_key: p.nameKey,
    search_key: '',
    title: '',
    location: '',
    company: '',
    superuser: 0,
    active: 0,
    prefs_json: '{}',
    image_version: null,
    online_until: 0,
    do_not_disturb_until: 0,
    is_invisible: 0,
    created_at: p.now,
    updated_at: p.now,
    deleted_at: p.now,
    is_application: 1,
  }),
);

/** For another name of what it stands for. */
export const renameAuthor = statement<Author>()((q, p) =>
  q
    .updateTable('users')
    .set({ first_name: p.name, name_key: p.nameKey, updated_at: p.now })
    .where('id', '=', p.id)
    .where('is_application', '=', 1),
);
