import { sql } from 'kysely';
import type { Dialect } from './database.ts';

/** Any number of ids in one parameter, so that a statement's text stays the same and can be kept prepared. */
export type IdList = string | readonly string[];

export function idList(dialect: Dialect, ids: readonly string[]): IdList {
  return dialect === 'sqlite' ? JSON.stringify(ids) : ids;
}

/** The same for texts. */
export type TextList = string | readonly string[];

export const textList = (dialect: Dialect, texts: readonly string[]): TextList => idList(dialect, texts);

export function inTextList(dialect: Dialect, column: string, texts: TextList) {
  return dialect === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} IN (SELECT value FROM json_each(${texts}))`
    : sql<boolean>`${sql.ref(column)} = ANY(CAST(${texts} AS text[]))`;
}

/** The condition that a column holds one of them. */
export function inIdList(dialect: Dialect, column: string, ids: IdList) {
  return dialect === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} IN (SELECT value FROM json_each(${ids}))`
    : sql<boolean>`${sql.ref(column)} = ANY(CAST(${ids} AS uuid[]))`;
}
