import { queryOptions } from '@tanstack/react-query';
import { ApiError, callOne } from '../../api/client.ts';
import type { Fault } from './json-editor.tsx';
import { type JsonLines, jsonLines, lineOf } from './json-lines.ts';

/** What the server says of blocks. */
export interface Checked {
  readonly blocks: readonly unknown[];
  readonly text: string;
}

/** What a form has beside its blocks. */
export interface FormWords {
  readonly title?: string | undefined;
  readonly submit?: string | undefined;
  readonly close?: string | undefined;
}

/** What somebody wrote: a list of blocks, or what has them: the body of a message, or a form. */
export interface Written {
  /** Of a message. */
  readonly text: string | undefined;
  readonly words: FormWords;
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
  if (Array.isArray(value)) return { text: undefined, words: {}, blocks: value, lines, isList: true };
  const { text, title, submit, close, blocks } = (value ?? {}) as Record<string, unknown>;
  const words = { title: wordOf(title), submit: wordOf(submit), close: wordOf(close) };
  return { text: wordOf(text), words, blocks, lines, isList: false };
}

const wordOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

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
