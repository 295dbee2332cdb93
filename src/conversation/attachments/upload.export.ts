import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { ArchiveFile, FileStore } from '#platform/files/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import type { AttachmentRow } from '#schema';
import { type ExportPart, jsonListFile, pagesOf } from '../../stewardship/exports/index.ts';
import { pageOfUploads } from './attachment.store.ts';

const PAGE = 200;

/** The person's uploads, one file after the other, then a list of them. */
export function uploadsPart(db: Database, files: FileStore): ExportPart {
  return async function* uploads({ id: userId }) {
    const pages = () =>
      pagesOf<AttachmentRow>(PAGE, (last) =>
        pageOfUploads.all(db, { userId, after: last?.id ?? LOWEST_ID, limit: PAGE }),
      );
    const sent = new Set<string>();
    for await (const page of pages()) {
      for (const row of page) yield* fileOf(files, row, sent);
    }
    yield* jsonListFile('attachments.json', index(pages(), sent));
  };
}

/** Yields nothing where a restored backup lacks the file, or it was just removed. */
async function* fileOf(files: FileStore, row: AttachmentRow, sent: Set<string>): AsyncGenerator<ArchiveFile> {
  const content = await files.get(row.file);
  if (!content) return;
  // The reader of the archive gets the error; without a listener it would end the process before there is a reader.
  content.on('error', () => undefined);
  try {
    sent.add(row.id);
    yield { name: pathOf(row), content };
  } finally {
    content.destroy();
  }
}

async function* index(
  pages: AsyncIterable<AttachmentRow[]>,
  sent: ReadonlySet<string>,
): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map((row) => present(row, sent.has(row.id)));
}

/** Two uploads may have the same name. */
const pathOf = ({ id, name }: AttachmentRow) => `attachments/${id}/${name}`;

function present(row: AttachmentRow, isHere: boolean) {
  return {
    id: row.id,
    file: isHere ? pathOf(row) : null,
    name: row.name,
    type: row.content_type,
    size: row.size,
    width: row.width,
    height: row.height,
    created_at: timestamp(row.created_at),
  };
}
