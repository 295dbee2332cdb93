import { moveFiles } from '../../ops/transfer/uploads.ts';
import { pageOfUploads } from '../app/backups.ts';
import { findAttachment } from '../conversation/attachments/index.ts';
import { recordCommand } from './as-operator.ts';

export const moveUploads = (options: Parameters<typeof moveFiles>[0]) =>
  moveFiles(options, {
    pageOfUploads,
    isReady: async (db, id) => (await findAttachment.first(db, { id }))?.status === 'ready',
    recordStart: (db) => recordCommand(db, 'move'),
  });
