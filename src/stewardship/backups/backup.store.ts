import { sql } from 'kysely';
import { statement } from '#schema';

const SCHEDULE = 'backup_schedule';

export const findSchedule = statement<object>()((q) =>
  q.selectFrom('server_state').select('value').where('name', '=', SCHEDULE),
);

export const beginSchedule = statement<{ value: string }>()((q, p) =>
  q
    .insertInto('server_state')
    .values({ name: SCHEDULE, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
);

/** The next server begins a schedule with another name. */
export const forgetSchedule = statement<object>()((q) =>
  q.deleteFrom('server_state').where('name', '=', SCHEDULE),
);

/** Gives a row where nobody has changed it meanwhile. */
export const swapSchedule = statement<{ before: string; value: string }>()((q, p) =>
  q
    .updateTable('server_state')
    .set({ value: p.value })
    .where('name', '=', SCHEDULE)
    .where('value', '=', p.before)
    .returning('name'),
);

/** When the last backup was made that the audit log knows, from its index by action. */
export const lastBackup = statement<{ latestAt: number }>()((q, p) =>
  q
    .selectFrom('audit_log')
    .select(sql<number | null>`max(at)`.as('at'))
    .where('action', '=', 'backup.made')
    .where('at', '<=', p.latestAt),
);

/** Ids have their time: the first account is the one with the lowest. */
export const firstAccount = statement<object>()((q) =>
  q.selectFrom('users').select('created_at').orderBy('id').limit(1),
);
