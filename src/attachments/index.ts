export { attachmentPresenter } from './attachment.present.ts';
export { attachmentRoutes } from './attachment.routes.ts';
export { Attachment } from './attachment.schema.ts';
export { type AttachmentService, attachmentService } from './attachment.service.ts';
export { markRemovedOf, pageOfEveryUpload, pageOfUploads } from './attachment.store.ts';
