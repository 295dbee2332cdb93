import type { ArchiveFile } from '#platform/files/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import type { UserRow } from '#schema';

const PAGE = 500;

/** The data of a person in one domain, as files of the archive, one after the other. */
export type ExportPart = (user: UserRow) => AsyncIterable<ArchiveFile>;

/** A file that is small enough to be made at once. */
export async function* jsonFile(name: string, value: unknown): AsyncGenerator<ArchiveFile> {
  yield { name, content: once(`${JSON.stringify(value, null, 2)}\n`) };
}

/** A list that is read a page at a time. */
export async function* jsonListFile(
  name: string,
  pages: AsyncIterable<object[]>,
): AsyncGenerator<ArchiveFile> {
  yield { name, content: jsonList(pages) };
}

export async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

async function* jsonList(pages: AsyncIterable<object[]>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const page of pages) {
    for (const item of page) {
      yield `${separator}${JSON.stringify(item)}`;
      separator = ',\n';
    }
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** @param read gives the page after a row, or the first one @returns the pages, until one is not full */
export async function* pagesOf<Row>(
  limit: number,
  read: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const page = await read(last);
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    last = page.at(-1);
  }
}

/** Some rows of a user, in the order of their ids. */
export interface PageOfUser {
  readonly userId: string;
  /** The id of the last row before the page. */
  readonly after: string;
  readonly limit: number;
}

/** A file with all rows of one kind that belong to the person, read page by page. */
export function listPart<Row>(
  name: string,
  read: (page: PageOfUser) => Promise<Row[]>,
  idOf: (row: Row) => string,
  present: (row: Row) => object,
): ExportPart {
  return ({ id: userId }) => {
    const pages = pagesOf<Row>(PAGE, (last) =>
      read({ userId, after: last === undefined ? LOWEST_ID : idOf(last), limit: PAGE }),
    );
    return jsonListFile(name, presented(pages, present));
  };
}

async function* presented<Row>(
  pages: AsyncIterable<Row[]>,
  present: (row: Row) => object,
): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map(present);
}
