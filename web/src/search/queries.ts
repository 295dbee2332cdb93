import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { conversationNamed } from '../api/application-key.ts';
import { call, type PageMeta } from '../api/client.ts';
import type { Message } from '../api/types.ts';

/** The search, as it stands in the page's URL. */
export interface Search {
  readonly q?: string;
  readonly team?: string;
  /** Of that team, by its id. */
  readonly subject?: string;
  /** The other people of a conversation, which is in no team. */
  readonly with?: string;
  readonly author?: string;
  /** Days, as 2026-11-21, in the reader's time zone. */
  readonly from?: string;
  readonly to?: string;
  readonly has?: (typeof HAS)[number];
}

export const HAS = ['file', 'link', 'object'] as const;
const PAGE = 30;

/** Pieces of a text; those that match are to be marked. */
export type Snippet = { readonly text: string; readonly match: boolean }[];

interface SearchMeta extends PageMeta {
  readonly snippets?: Readonly<Record<string, Snippet>>;
}

/** @returns only what a search has, from the parameters of an address */
export function readSearch(given: Record<string, unknown>): Search {
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? { [name]: value } : {};
  };
  const has = HAS.find((kind) => kind === given.has);
  // The router parses numbers and words such as true.
  const q = given.q === undefined || typeof given.q === 'string' ? text('q') : { q: JSON.stringify(given.q) };
  const team = text('team');
  const place = given.with === undefined ? { ...team, ...('team' in team && text('subject')) } : text('with');
  return { ...q, ...place, ...text('author'), ...text('from'), ...text('to'), ...(has && { has }) };
}

/** Words, or what a message holds; the rest narrows a search. */
export const isSearch = ({ q, has }: Search): boolean => q !== undefined || has !== undefined;

/** The key of all searches. */
export const SEARCHES = ['search'] as const;

export const searchQuery = (search: Search) =>
  infiniteQueryOptions({
    queryKey: [...SEARCHES, search],
    queryFn: ({ pageParam, signal }) =>
      call<Message, SearchMeta>('/v1/messages', {
        query: {
          q: search.q,
          team: search.team,
          subject: search.subject,
          ...(search.with !== undefined && conversationNamed(search.with)),
          author: search.author,
          has: search.has,
          after: startOf(search.from),
          before: startOf(search.to, 1),
          limit: PAGE,
          cursor: pageParam,
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled: isSearch(search),
    // Earlier results may lack newer messages.
    staleTime: 0,
  });

/** @returns when a day begins where the reader is, in seconds, or so many days later: not each has 24 hours */
function startOf(day: string | undefined, later = 0): number | undefined {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + later);
  return Number.isNaN(at.getTime()) ? undefined : at.getTime() / 1000;
}
