import { statement } from '#schema';

const NAME = 'set_up_nonce';

export const findSetUpNonce = statement<object>()((q) =>
  q.selectFrom('server_state').select('value').where('name', '=', NAME),
);

/** When several nodes start at once, all use the first one's nonce. */
export const insertSetUpNonce = statement<{ value: string }>()((q, p) =>
  q
    .insertInto('server_state')
    .values({ name: NAME, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
);
