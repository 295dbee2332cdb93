import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { defineRoute, Nullable, Timestamp } from '#api';
import { MOST_COUNTED } from '#platform/jobs/index.ts';
import { REASONS, type Reason } from './queue-reasons.ts';
import type { ServerStatus } from './status.service.ts';

const tag = 'Administration';
const Bytes = Type.Integer({ description: 'Bytes' });

const Queue = Type.Object({
  waiting: Type.Integer({
    description: `What is still to be done, now or at a later try; counted to ${MOST_COUNTED}`,
  }),
  oldest_seconds: Nullable(
    Type.Number({ description: 'How long the first of it has been due; null when nothing is due' }),
  ),
  reason: Type.Unsafe<Reason | null>({
    type: ['string', 'null'],
    enum: [...REASONS, null],
    description:
      'Why that is not done yet. `failing`: its last attempt failed. `slow`: a worker has it. `backlog`: no worker has come to it',
  }),
});

const Status = Type.Object({
  version: Type.String(),
  node: Type.String({ description: 'The version of Node.js' }),
  started_at: Timestamp,
  database: Type.Object({
    kind: Type.Enum(['sqlite', 'postgres']),
    version: Type.String(),
    size_bytes: Bytes,
  }),
  storage: Type.Object({
    kind: Type.Enum(['folder', 's3']),
    files: Type.Integer({ description: 'Uploads, with those that are being cleared away' }),
    bytes: Type.Integer({ description: 'Their sizes together, without the small pictures made of them' }),
    disk_free_bytes: Nullable(Type.Integer({ description: 'Where the folder is; null for S3' })),
  }),
  counts: Type.Object({
    users: Type.Integer({ description: 'Accounts, without deleted ones' }),
    active_users: Type.Integer({ description: 'Accounts that are not closed' }),
    teams: Type.Integer({ description: 'Without deleted ones' }),
    messages: Type.Integer({
      description:
        'Roughly what was ever written: the last place given in the index of messages, deleted ones included',
    }),
    applications: Type.Integer({ description: 'Without deleted ones' }),
    installations: Type.Integer({ description: 'Active ones' }),
  }),
  queues: Type.Object({
    callbacks: Queue,
    webhooks: Queue,
    icons: Queue,
    mails: Queue,
    mail_jobs: Queue,
    mail_streams: Queue,
    notices: Queue,
    team_notices: Queue,
    scheduled: Queue,
    pushes: Queue,
    previews: Queue,
    events: Queue,
    search_index: Queue,
    erasures: Queue,
  }),
  backup: Type.Object({
    last_at: Nullable(Timestamp),
    state: Type.Enum(['ok', 'late', 'missing'], {
      description:
        '`late`: the last one is older than twice `every_seconds`. `missing`: none was made since the first account, for as long',
    }),
    scheduled: Type.Boolean({ description: 'Whether servers make them by themselves (BACKUP_DIR)' }),
    failed: Type.Boolean({ description: 'Whether the last one that a server tried to make failed' }),
    every_seconds: Type.Integer({ description: 'How often one is expected; 0: nobody is reminded' }),
  }),
  streams: Type.Integer({ description: 'Streams of live events that are open at this process' }),
  memory: Type.Object({ rss_bytes: Type.Integer({ description: 'Memory of this process' }) }),
});

const Setting = Type.Object({
  name: Type.String(),
  value: Type.String({ description: 'In force; empty when it is not set, `(set)` for a secret that is' }),
  secret: Type.Boolean(),
  default: Type.Boolean({ description: 'Whether it is as it would be if nobody had set it' }),
  help: Type.String(),
});

export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
  readonly default: boolean;
  readonly help: string;
}

/** The state of the server, as its administrators see it. */
export function statusRoutes(
  app: FastifyInstance,
  { status, settings }: { status: ServerStatus; settings: readonly ShownSetting[] },
): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/server',
    access: 'superuser',
    tag,
    summary: 'How the server is: database, uploads, queues, memory',
    description: 'Costs the same few milliseconds with a million messages: they are estimated, not counted.',
    item: Status,
    handle: async () => [await status.read()],
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/settings',
    access: 'superuser',
    tag,
    summary: 'Every setting that is in force; they are changed where the server is started',
    item: Setting,
    handle: async () => [...settings],
  });
}
