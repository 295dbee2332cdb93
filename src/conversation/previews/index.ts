export { deleteJobsAbout, previewsState, purgeJobs } from './job.store.ts';
export { looking, MOST_STORED, PREVIEW_EDGE, REMEMBERED_MS } from './looking.ts';
export { PARSED } from './page.ts';
export { MOST_PICTURES, MOST_PREVIEWS, type PreviewService, previewService } from './preview.service.ts';
export { MOST_REDIRECTS, PAGE_BYTES, PICTURE_BYTES, VISIT_MS, visitor } from './visit.ts';
export { AT_ONCE, LATEST_MS, OF_HOST, PER_DAY, PER_MINUTE, startPreviewer } from './worker.ts';
