import { locked } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import { type IncomingWebhookRow, insertion, rewriting, statement } from '#schema';

export const insertWebhook = insertion('incoming_webhooks')([
  'id',
  'team_id',
  'author_id',
  'created_by',
  'secret_hash',
  'key_ciphertext',
  'created_at',
  'updated_at',
  'used_at',
]);

/** By the last part of its address, while the team exists. */
export const findBySecret = statement<{ secretHash: string }>()((q, p) =>
  q
    .selectFrom('incoming_webhooks')
    .innerJoin('teams', 'teams.id', 'incoming_webhooks.team_id')
    .selectAll('incoming_webhooks')
    .where('incoming_webhooks.secret_hash', '=', p.secretHash)
    .where('teams.active', '=', 1),
);

export const listWebhooks = statement<{ teamId: string }>()((q, p) =>
  q.selectFrom('incoming_webhooks').selectAll().where('team_id', '=', p.teamId).orderBy('id'),
);

interface OfTeam {
  readonly id: string;
  readonly teamId: string;
}

export const findWebhook = statement<OfTeam>()((q, p) =>
  q.selectFrom('incoming_webhooks').selectAll().where('id', '=', p.id).where('team_id', '=', p.teamId),
);

export const lockWebhook = statement<OfTeam>()((q, p, dialect) =>
  locked(
    dialect,
    q.selectFrom('incoming_webhooks').selectAll().where('id', '=', p.id).where('team_id', '=', p.teamId),
  ),
);

export const updateWebhook = statement<
  Pick<IncomingWebhookRow, 'id' | 'secret_hash' | 'key_ciphertext' | 'updated_at'>
>()((q, p) =>
  q
    .updateTable('incoming_webhooks')
    .set({ secret_hash: p.secret_hash, key_ciphertext: p.key_ciphertext, updated_at: p.updated_at })
    .where('id', '=', p.id),
);

export const rewriteIncomingKeys = rewriting('incoming_webhooks', { id: LOWEST_ID }, ['key_ciphertext']);

export const listSigned = statement<object>()((q) =>
  q.selectFrom('incoming_webhooks').select('id').where('key_ciphertext', 'is not', null),
);

export const replaceIncomingKey = statement<{ id: string; ciphertext: string }>()((q, p) =>
  q.updateTable('incoming_webhooks').set({ key_ciphertext: p.ciphertext }).where('id', '=', p.id),
);

export const noteUse = statement<{ id: string; now: number }>()((q, p) =>
  q.updateTable('incoming_webhooks').set({ used_at: p.now }).where('id', '=', p.id),
);

export const deleteWebhook = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('incoming_webhooks').where('id', '=', p.id),
);
