import { statement } from '#schema';
import { hasTwoSpellings, type KeyChange, type PageOfKeys } from '../people/users/index.ts';

export const pageOfInvitationKeys = statement<PageOfKeys>()((q, p) =>
  q
    .selectFrom('invitations')
    .select(['id', 'email_key'])
    .where(hasTwoSpellings)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const changeInvitationKey = statement<KeyChange>()((q, p) =>
  q
    .updateTable('invitations')
    .set({ email_key: p.to })
    .where('id', '=', p.id)
    .where('email_key', '=', p.from),
);
