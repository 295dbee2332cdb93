import { statement } from '#schema';

const NAME = 'push_key';

export const findPushKey = statement<object>()((q) =>
  q.selectFrom('server_state').select('value').where('name', '=', NAME),
);

/** When several nodes start at once, all use the first one's key. */
export const insertPushKey = statement<{ value: string }>()((q, p) =>
  q
    .insertInto('server_state')
    .values({ name: NAME, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
);

export const replacePushKey = statement<{ value: string }>()((q, p) =>
  q.updateTable('server_state').set({ value: p.value }).where('name', '=', NAME),
);

export const forgetPushKey = statement<object>()((q) =>
  q.deleteFrom('server_state').where('name', '=', NAME),
);
