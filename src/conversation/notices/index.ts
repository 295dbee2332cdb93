export { deleteJobsAbout, NAMED, noticeQueue, purgeNotices, READERS } from './job.store.ts';
export { type NoticeService, noticeService, noticeWork } from './notice.service.ts';
export { findFirstNamed } from './notice.store.ts';
export type { Notice, NoticeListener, NoticeReason } from './notice.ts';
