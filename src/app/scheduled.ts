import type { FastifyInstance } from 'fastify';
import type { UserPrincipal } from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { OnAttempt } from '#platform/jobs/index.ts';
import { keepUploads, releaseUpload } from '../conversation/attachments/index.ts';
import type { NoticeService } from '../conversation/notices/index.ts';
import {
  Reminder,
  ScheduledMessage,
  scheduledRoutes,
  scheduledSender,
  scheduledService,
  sending,
  WallTime,
} from '../conversation/scheduled/index.ts';
import type { joinMessaging } from './messaging.ts';
import { type AppParts, type Background, days } from './parts.ts';

/** Messages and reminders that are sent at a later time. */
export function joinScheduled(
  parts: Pick<AppParts, 'config' | 'db' | 'clock' | 'baseUrl'>,
  deps: {
    messaging: Pick<
      ReturnType<typeof joinMessaging>,
      'read' | 'posts' | 'replies' | 'sidebars' | 'finder' | 'tellScheduled'
    >;
    remind: NoticeService['remind'];
    actBy: (tx: Tx, grantId: string) => Promise<UserPrincipal | undefined>;
    onAttempt: OnAttempt;
    background: Background;
  },
) {
  const { config, db, clock, baseUrl } = parts;
  const { remind, actBy, onAttempt, background } = deps;
  const { read, posts, replies, sidebars, finder, tellScheduled: tell } = deps.messaging;
  const send = sending({ read, posts, replies, sidebars, finder, baseUrl, actBy, remind });
  const scheduled = scheduledService({
    ...{ db, clock, finder, tell, sending: send },
    keepFiles: keepUploads.run,
    releaseFile: (tx, of) => releaseUpload.run(tx, { ...of, now: clock() }),
    longestMs: days(config.SCHEDULED_DAYS),
    mostAtOnce: config.SCHEDULED_AT_ONCE,
  });
  const { intervalMs, rest, onError } = background;
  const sender = scheduledSender({
    ...{ db, clock, tell, sending: send },
    ...{ intervalMs, rest, onAttempt, onError },
  });
  return {
    schemas: [WallTime, ScheduledMessage, Reminder],
    routes: (server: FastifyInstance) => scheduledRoutes(server, scheduled),
    housekeeping: sender.housekeeping,
    start: sender.wake,
    stop: sender.stop,
  };
}
