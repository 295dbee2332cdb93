import { queryOptions } from '@tanstack/react-query';
import { ApiError, callOne } from '../../api/client.ts';
import type { Fault } from './json-editor.tsx';
import { type JsonLines, jsonLines, lineOf } from './json-lines.ts';

/** What the server says of blocks. */
export interface Checked {
  readonly blocks: readonly unknown[];
  readonly text: string;
}

/** What somebody wrote: a list of blocks, or the body of a message with them. */
export interface Written {
  readonly text: string | undefined;
  readonly blocks: unknown;
  readonly lines: JsonLines;
  /** Pointers of the server begin at the body. */
  readonly isList: boolean;
}

/** @returns undefined for what is not JSON */
export function readWritten(json: string): Written | undefined {
  const lines = jsonLines(json);
  if (lines.broken !== undefined) return undefined;
  const value = JSON.parse(json) as unknown;
  if (Array.isArray(value)) return { text: undefined, blocks: value, lines, isList: true };
  const { text, blocks } = (value ?? {}) as { text?: unknown; blocks?: unknown };
  return { text: typeof text === 'string' ? text : undefined, blocks, lines, isList: false };
}

export const checkQuery = (json: string) =>
  queryOptions({
    queryKey: ['blocks', 'check', json],
    queryFn: ({ signal }) =>
      callOne<Checked>('/v1/blocks/check', {
        method: 'POST',
        body: { blocks: readWritten(json)?.blocks ?? null },
        signal,
      }),
    enabled: readWritten(json) !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What is wrong, by the lines of the text. */
export function faultsOf({ lines, isList }: Written, error: unknown): Fault[] {
  if (!(error instanceof ApiError) || error.status !== 400) return [];
  return error.problems.map(({ reason = '', message, pointer = '' }) => ({
    line: lineOf(lines, isList ? pointer.replace(/^\/blocks/, '') : pointer),
    path: reason,
    message,
  }));
}
