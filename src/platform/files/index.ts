export { type ArchiveFile, archive } from './archive.ts';
export { isFileName, newFileName } from './file-name.ts';
export { type ByteRange, type FileStore, FileStoreUnavailable } from './file-store.ts';
export { FolderStore } from './folder-store.ts';
export { mediaTypeOf, readHead } from './media-type.ts';
export { brokeOff } from './s3-client.ts';
export { Spool, type SpooledFile } from './spool.ts';
export { flush, keepWhole, nameBeside, writeWhole } from './whole-file.ts';
export { BadArchive, type ZipEntry, ZipReader } from './zip-reader.ts';
