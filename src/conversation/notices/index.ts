export { deleteJobsAbout, noticeQueue, purgeNotices } from './job.store.ts';
export { mentionedNames } from './mentions.ts';
export { type NoticeService, noticeService, noticeWork } from './notice.service.ts';
export type { Notice, NoticeListener, NoticeReason } from './notice.ts';
