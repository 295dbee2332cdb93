import { sql } from 'kysely';
import { statement } from '#schema';

/** Other keys are the same in every release. */
const hasTwoSpellings = sql<boolean>`(email_key LIKE '%xn--%' OR octet_length(email_key) <> length(email_key))`;

interface Page {
  after: string;
  limit: number;
}

export const pageOfUsers = statement<Page>()((q, p) =>
  q
    .selectFrom('users')
    .select(['id', 'email_key'])
    .where(hasTwoSpellings)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const pageOfInvitations = statement<Page>()((q, p) =>
  q
    .selectFrom('invitations')
    .select(['id', 'email_key'])
    .where(hasTwoSpellings)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

interface Change {
  id: string;
  from: string;
  to: string;
}

/** Gives no row where another account has the key. */
export const changeUserKey = statement<Change>()((q, p) =>
  q
    .updateTable('users')
    .set({ email_key: p.to })
    .where('id', '=', p.id)
    .where('email_key', '=', p.from)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('users as other').select('other.id').where('other.email_key', '=', p.to))),
    )
    .returning('id'),
);

/** Links that were mailed before go on working. */
export const changeTokenKeys = statement<Change>()((q, p) =>
  q
    .updateTable('account_tokens')
    .set({ email_key: p.to })
    .where('user_id', '=', p.id)
    .where('email_key', '=', p.from),
);

export const changeInvitationKey = statement<Change>()((q, p) =>
  q
    .updateTable('invitations')
    .set({ email_key: p.to })
    .where('id', '=', p.id)
    .where('email_key', '=', p.from),
);
