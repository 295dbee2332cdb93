import { deletion, renewal, statement } from '#schema';

/** Gives a row to one caller at a time. */
export const claimExport = statement<{ userId: string; token: string; expiresAt: number; now: number }>()(
  (q, p) =>
    q
      .insertInto('export_leases')
      .values({ user_id: p.userId, token: p.token, expires_at: p.expiresAt })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ token: p.token, expires_at: p.expiresAt })
          .where('export_leases.expires_at', '<=', p.now),
      )
      .returning('user_id'),
);

export const renewExport = renewal('export_leases', { key: 'user_id', lease: 'expires_at' });

export const releaseExport = statement<{ token: string; userId: string }>()((q, p) =>
  q.deleteFrom('export_leases').where('user_id', '=', p.userId).where('token', '=', p.token),
);

export const purgeExports = deletion('export_leases')<{ now: number }>((rows, p) =>
  rows.where('expires_at', '<=', p.now),
);
