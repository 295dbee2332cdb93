import { type Migration, queriesFor } from '#platform/db/index.ts';
import { batchesFor, queuesFor } from '#platform/jobs/index.ts';
import { initial } from './migrations/0001-initial.ts';
import { queueOfIndex } from './migrations/0002-completion.ts';
import { conversations } from './migrations/0002-conversations.ts';
import { attachments } from './migrations/0003-attachments.ts';
import { mail } from './migrations/0004-mail.ts';
import { rights } from './migrations/0005-rights.ts';
import { live } from './migrations/0006-live.ts';
import { forgetting } from './migrations/0007-forgetting.ts';
import { pages } from './migrations/0008-pages.ts';
import { following } from './migrations/0009-following.ts';
import { grants } from './migrations/0010-grants.ts';
import { messageVersions } from './migrations/0011-message-versions.ts';
import { accounts } from './migrations/0012-accounts.ts';
import { callbacks } from './migrations/0013-callbacks.ts';
import { reading } from './migrations/0014-reading.ts';
import { notices } from './migrations/0015-notices.ts';
import { pushes } from './migrations/0016-pushes.ts';
import { direct } from './migrations/0017-direct.ts';
import { inbox } from './migrations/0018-inbox.ts';
import { mutes } from './migrations/0019-mutes.ts';
import { subscriptions } from './migrations/0020-subscriptions.ts';
import { speaking } from './migrations/0021-speaking.ts';
import { changedObjects } from './migrations/0022-changed-objects.ts';
import { links } from './migrations/0023-links.ts';
import { unfurls } from './migrations/0024-unfurls.ts';
import { scopeHistory } from './migrations/0025-scope-history.ts';
import { missedEvents } from './migrations/0026-missed-events.ts';
import { messageLinks } from './migrations/0027-message-links.ts';
import { suspension } from './migrations/0029-suspension.ts';
import { publicClients } from './migrations/0030-public-clients.ts';
import { toldAndAsked } from './migrations/0031-told-and-asked.ts';
import { searchJobs } from './migrations/0032-search-jobs.ts';
import { attemptAddresses } from './migrations/0033-attempt-addresses.ts';
import { folding } from './migrations/0034-folding.ts';
import { noticeLanes } from './migrations/0035-notice-lanes.ts';
import { mailStreams } from './migrations/0036-mail-streams.ts';
import { indexWaits } from './migrations/0037-index-waits.ts';
import type { Tables } from './tables.ts';

export type * from './tables.ts';

/** In order; append only. */
export const migrations: readonly Migration[] = [
  initial,
  { ...conversations, completion: queueOfIndex },
  attachments,
  mail,
  rights,
  live,
  forgetting,
  pages,
  following,
  grants,
  messageVersions,
  accounts,
  callbacks,
  reading,
  notices,
  pushes,
  direct,
  inbox,
  mutes,
  subscriptions,
  speaking,
  changedObjects,
  links,
  unfurls,
  scopeHistory,
  missedEvents,
  messageLinks,
  suspension,
  publicClients,
  toldAndAsked,
  searchJobs,
  attemptAddresses,
  folding,
  noticeLanes,
  mailStreams,
  indexWaits,
];

export const { statement, query, insertion } = queriesFor<Tables>();

export const { deletion, modification } = batchesFor<Tables>();

export const { leasedQueue, lockedQueue, fairQueue, renewal } = queuesFor<Tables>();
