export { newFileName } from './file-name.ts';
export { type ByteRange, type FileStore, FileStoreUnavailable } from './file-store.ts';
export { FolderStore } from './folder-store.ts';
export { Spool, type SpooledFile } from './spool.ts';
