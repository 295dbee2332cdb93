export { attachmentPresenter } from './attachment.present.ts';
export { attachmentRoutes } from './attachment.routes.ts';
export { Attachment } from './attachment.schema.ts';
export { ARRIVING_MS, type AttachmentService, attachmentService } from './attachment.service.ts';
export {
  findAttachment,
  keepUploads,
  markRemovedOf,
  pageOfEveryUpload,
  releaseUpload,
} from './attachment.store.ts';
export { sendPicture } from './send-file.ts';
export { THUMBNAIL_EDGE } from './thumbnail.ts';
export { uploadsPart } from './upload.export.ts';
