import { InvalidFields } from '#api';
import { parseId } from '#platform/ids.ts';
import type { Contained } from '../view/message.schema.ts';
import { type Term, termsOf } from './search-words.ts';

/** The filters of a search, as a client gives them. */
export interface SearchFilter {
  readonly q?: string;
  readonly author?: string;
  /** Unix seconds, as for `before`. */
  readonly after?: number;
  readonly before?: number;
  readonly has?: Contained;
}

export interface SearchWanted {
  readonly terms: readonly Term[];
  readonly authorId: string | undefined;
  readonly has: Contained | undefined;
  /** Milliseconds: written at this time or later, and before that one. */
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/** Words make a list a search, or what a message has to hold. */
export const isSearch = ({ q, has }: SearchFilter): boolean => q !== undefined || has !== undefined;

/** @throws InvalidFields */
export function readSearch({ q, author, after, before, has }: SearchFilter): SearchWanted {
  const terms = q === undefined ? [] : termsOf(q);
  if (q !== undefined && terms.length === 0)
    throw new InvalidFields({ field: 'q', message: 'must hold a word to search for' });
  const authorId = author === undefined ? undefined : parseId(author);
  if (author !== undefined && authorId === undefined)
    throw new InvalidFields({ field: 'author', message: 'must be the id of a user' });
  return { terms, authorId, has, since: milliseconds(after), until: milliseconds(before) };
}

/** Far beyond all times, and far below what a database can hold. */
const END_OF_TIME = 2 ** 50;

const milliseconds = (seconds: number | undefined) =>
  seconds === undefined ? undefined : Math.max(0, Math.min(END_OF_TIME, Math.round(seconds * 1000)));
