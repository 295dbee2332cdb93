import type { FastifyBaseLogger } from 'fastify';
import { SqliteDatabase } from '#platform/db/index.ts';
import type { Config } from '../../src/process/config.ts';
import { COPY_BUCKET } from '../../src/process/config-checks.ts';
import { ConfigError } from '../../src/process/config-error.ts';
import { databaseFile } from '../../src/process/database.ts';
import { filesFolder } from '../../src/process/files.ts';
import { Copier } from './copier.ts';
import { FolderTarget } from './folder-target.ts';
import type { Target } from './target.ts';

type Keys = Pick<
  Config,
  | 'S3_ENDPOINT'
  | 'S3_ACCESS_KEY'
  | 'S3_SECRET_KEY'
  | 'S3_REGION'
  | 'S3_ADDRESSING'
  | 'COPY_S3_ENDPOINT'
  | 'COPY_S3_ACCESS_KEY'
  | 'COPY_S3_SECRET_KEY'
  | 'COPY_S3_REGION'
>;

/**
 * @param where a folder, or `s3://bucket/prefix` @param givenAs what the operator gave it as
 * @throws ConfigError when the keys of a store are missing
 */
export async function openTarget(where: string, config: Keys, givenAs = 'COPY_TO'): Promise<Target> {
  if (!/^[a-z0-9]+:\/\//i.test(where)) return new FolderTarget(where);
  const [, bucket, prefix = ''] = COPY_BUCKET.exec(where) ?? [];
  if (bucket === undefined)
    throw new ConfigError(`${givenAs} "${where}" must be a folder, or like s3://bucket/prefix.`);
  const endpoint = config.COPY_S3_ENDPOINT ?? config.S3_ENDPOINT;
  const accessKey = config.COPY_S3_ACCESS_KEY ?? config.S3_ACCESS_KEY;
  const secretKey = config.COPY_S3_SECRET_KEY ?? config.S3_SECRET_KEY;
  if (endpoint === undefined || accessKey === undefined || secretKey === undefined)
    throw new ConfigError(
      `${givenAs} "${where}" is in an S3-compatible store: set COPY_S3_ENDPOINT, COPY_S3_ACCESS_KEY and COPY_S3_SECRET_KEY.`,
    );
  const { S3Target } = await import('./s3-target.ts');
  const region = config.COPY_S3_REGION ?? config.S3_REGION;
  const addressing = config.S3_ADDRESSING;
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  return new S3Target({ endpoint, bucket, region, accessKey, secretKey, addressing }, folder);
}

/** Copies the embedded database to COPY_TO while the server runs. @returns undefined without that setting */
export async function startCopy(
  config: Config,
  db: unknown,
  logger: FastifyBaseLogger,
): Promise<Copier | undefined> {
  const { COPY_TO } = config;
  if (COPY_TO === undefined || !(db instanceof SqliteDatabase)) return undefined;
  return new Copier({
    db,
    file: databaseFile(config),
    target: await openTarget(COPY_TO, config),
    uploads: config.S3_BUCKET === undefined ? filesFolder(config) : undefined,
    everyMs: config.COPY_SECONDS * 1000,
    keptMs: config.COPY_RETENTION * 1000,
    mostLogBytes: config.COPY_LOG_BYTES,
    onFault: (error) =>
      logger.error({ err: error }, 'the copy to COPY_TO does not go on; it is tried again and again'),
    onWell: () => logger.info('the copy to COPY_TO goes on'),
  });
}
