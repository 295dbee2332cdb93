import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import { type ExportPart, jsonListFile, once, pagesOf } from '../../stewardship/exports/index.ts';
import { pageOfCreator } from './emoji.store.ts';

const PAGE = 20;
type Row = Awaited<ReturnType<typeof pageOfCreator.all>>[number];

/** The emoji that the person added, one picture after the other, then a list of them. */
export function emojiPart(db: Database): ExportPart {
  return async function* emoji({ id: userId }) {
    const pages = () =>
      pagesOf<Row>(PAGE, (last) => pageOfCreator.all(db, { userId, after: last?.name ?? '', limit: PAGE }));
    for await (const page of pages()) {
      for (const row of page)
        yield { name: fileOf(row), content: once(Buffer.from(row.moving ?? row.still, 'base64')) };
    }
    yield* jsonListFile('emoji.json', index(pages()));
  };
}

async function* index(pages: AsyncIterable<Row[]>): AsyncGenerator<object[]> {
  for await (const page of pages)
    yield page.map((row) => ({ name: row.name, file: fileOf(row), created_at: timestamp(row.created_at) }));
}

const fileOf = ({ name }: Row) => `emoji/${name}.webp`;
