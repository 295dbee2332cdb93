import { join } from 'node:path';
import { type FileStore, FolderStore, Spool } from '#platform/files/index.ts';
import type { Config } from './config.ts';

/** The folder of the uploads, unless they are in an S3-compatible store. */
export function filesFolder(config: Config): string {
  return join(config.DATA_DIR, 'files');
}

/** Uploads arrive beside the store's folder, so that keeping one is a renaming. */
export function openSpool(config: Config): Spool {
  return new Spool(join(filesFolder(config), 'incoming'));
}

export async function openFileStore(config: Config): Promise<FileStore> {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = config;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY || !S3_SECRET_KEY) {
    return new FolderStore(filesFolder(config));
  }
  const { S3Store } = await import('#platform/files/s3-store.ts');
  return new S3Store({
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: config.S3_REGION,
    accessKey: S3_ACCESS_KEY,
    secretKey: S3_SECRET_KEY,
    addressing: config.S3_ADDRESSING,
  });
}
