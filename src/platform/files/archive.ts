import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ZipFile } from 'yazl';

/** A file of the archive. Its content is produced while it is sent, so no file is held in memory as a whole. */
export interface ArchiveFile {
  readonly name: string;
  readonly content: AsyncIterable<string | Uint8Array>;
  /** Set for content that compression would not shrink. */
  readonly isPacked?: boolean;
}

/**
 * Packs files into a ZIP archive while it is read: one after the other, as fast as the reader takes them.
 * @param complete runs before the archive's last bytes, `over` in any case
 */
export function archive(
  files: AsyncIterable<ArchiveFile>,
  mtime: Date,
  on: { complete: () => Promise<unknown>; over: () => Promise<unknown> },
): Readable {
  const output = new PassThrough();
  const gone = new AbortController();
  output.once('close', () => gone.abort());
  // The reader receives the error. Without this handler, an error before anyone reads would end the process.
  output.on('error', () => gone.abort());

  async function add(zip: ZipFile, { name, content, isPacked }: ArchiveFile): Promise<void> {
    const source = Readable.from(content);
    try {
      zip.addReadStream(source, name, { mtime, compress: !isPacked });
      await finished(source, { signal: gone.signal });
    } finally {
      source.destroy();
    }
  }

  async function fill(): Promise<void> {
    const { ZipFile } = await import('yazl');
    const zip = new ZipFile();
    zip.outputStream.pipe(output);
    for await (const file of files) await add(zip, file);
    await on.complete();
    zip.end();
  }

  fill()
    .catch((error: Error) => output.destroy(error))
    .then(on.over)
    .catch((error: Error) => output.destroy(error));
  return output;
}
