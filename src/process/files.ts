import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type FileStore, FolderStore, Spool } from '#platform/files/index.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';

/** The folder of the uploads, unless they are in an S3-compatible store. */
export function filesFolder(config: Config): string {
  return join(config.DATA_DIR, 'files');
}

/** Uploads arrive beside the store's folder, so that keeping one is a renaming. */
export function openSpool(config: Config): Spool {
  return new Spool(join(filesFolder(config), 'incoming'));
}

/** An upload makes it where it is not there. @throws ConfigError for one that cannot be used */
export function refuseUnusable(folder: string): void {
  if (!existsSync(folder)) return;
  try {
    if (!statSync(folder).isDirectory()) throw new Error('it is a file');
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(
      `The folder of uploads ${folder} cannot be used: ${(error as Error).message}. Give it to the user who starts the ` +
        'server, or put it back from a backup.',
    );
  }
}

/** @throws ConfigError for a folder that cannot be used */
export async function openFileStore(config: Config): Promise<FileStore> {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = config;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY || !S3_SECRET_KEY) {
    const folder = filesFolder(config);
    refuseUnusable(folder);
    return new FolderStore(folder);
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
