import { sql } from 'kysely';
import { statement } from '#schema';

/** Other keys are the same in every release. */
export const hasTwoSpellings = sql<boolean>`(email_key LIKE '%xn--%' OR octet_length(email_key) <> length(email_key))`;

export interface PageOfKeys {
  readonly after: string;
  readonly limit: number;
}

export const pageOfUsers = statement<PageOfKeys>()((q, p) =>
  q
    .selectFrom('users')
    .select(['id', 'email_key'])
    .where(hasTwoSpellings)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** The key of one row, or of all rows of one user. */
export interface KeyChange {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Gives no row where another account has the key. */
export const changeUserKey = statement<KeyChange>()((q, p) =>
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
