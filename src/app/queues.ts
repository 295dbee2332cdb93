import { jobQueue, mailsState, streamQueue } from '../conversation/mails/index.ts';
import { NAMED, noticeQueue, READERS } from '../conversation/notices/index.ts';
import { previewsState } from '../conversation/previews/index.ts';
import { pushesState } from '../conversation/pushes/index.ts';
import { scheduledQueue } from '../conversation/scheduled/index.ts';
import { deliveriesState } from '../integration/callbacks/index.ts';
import { iconsState } from '../integration/icons/index.ts';
import { webhooksState } from '../integration/subscriptions/index.ts';
import { erasuresState } from '../stewardship/erasure/index.ts';

/** How each queue of the database is. */
export const queueStates = {
  callbacks: deliveriesState,
  webhooks: webhooksState,
  icons: iconsState,
  mails: mailsState,
  mail_jobs: jobQueue.state,
  notices: noticeQueue.track(NAMED).state,
  team_notices: noticeQueue.track(READERS).state,
  mail_streams: streamQueue.state,
  pushes: pushesState,
  previews: previewsState,
  scheduled: scheduledQueue.track().state,
  erasures: erasuresState,
} as const;
