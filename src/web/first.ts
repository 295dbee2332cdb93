import { existsSync, readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';

/** Made by the build (web/first.ts). */
interface First {
  /** Of the page itself, for everybody. */
  readonly files: readonly string[];
  /** By language. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly members: {
    readonly files: readonly string[];
    /** Addresses by the path of a view; `:team` stands for an id in both. */
    readonly read: Readonly<Record<string, readonly string[]>>;
  };
}

/** @returns the value of `Link` for a page (RFC 8288): what its first view will need, in the order in which it is needed */
export type LinkOf = (
  request: Pick<FastifyRequest, 'url' | 'headers'>,
  isMember: boolean,
) => string | undefined;

const SCRIPT = 'rel=modulepreload';
const STYLE = 'rel=preload; as=style; crossorigin';
const DATA = 'rel=preload; as=fetch; crossorigin';

/**
 * A browser learns what a view needs only while it runs the scripts before: files and answers would come one after the
 * other. Told in the head of the page, they come at once.
 * @param file that the build made
 */
export function readFirst(file: string): LinkOf {
  if (!existsSync(file)) return () => undefined;
  const first = JSON.parse(readFileSync(file, 'utf8')) as First;
  const { files: own, read } = first.members;
  return ({ url, headers }, isMember) => {
    const language = languageOf(headers['accept-language'], Object.keys(first.texts));
    const files = [...first.files, ...(first.texts[language] ?? []), ...(isMember ? own : [])];
    return [
      ...files.map((one) => `<${one}>; ${one.endsWith('.css') ? STYLE : SCRIPT}`),
      ...(isMember ? readAt(url, read) : []).map((one) => `<${one}>; ${DATA}`),
    ].join(', ');
  };
}

/** The page takes the first of the browser's languages that it has, too (web/src/text/index.tsx). */
function languageOf(accepted = '', known: readonly string[]): string {
  const asked = accepted.split(',').map((one) => one.trim().split(/[-;]/)[0]?.toLowerCase() ?? '');
  return asked.find((one) => known.includes(one)) ?? 'en';
}

/** Ids alone, since an address is anybody's to write. */
const TEAM = /^\/teams\/([\da-f-]{36})$/;

function readAt(url: string, read: First['members']['read']): readonly string[] {
  const [, team] = TEAM.exec(url) ?? [];
  // A query asks for something else.
  if (team === undefined) return read[url] ?? [];
  return (read['/teams/:team'] ?? []).map((one) => one.replace(':team', team));
}
