import type { IncomingMessage, ServerResponse } from 'node:http';
import { messagePage } from './pages.ts';

/** An answer of a route: a page, text, JSON or a redirect. */
export interface Answer {
  readonly status: number;
  readonly html?: string;
  readonly text?: string;
  readonly json?: unknown;
  readonly location?: string;
  readonly cookie?: string;
}

/** The request's body exceeds the route's limit. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** Reads to the end in any case, so that the sender receives our answer. @throws BodyTooLarge */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size <= maxBytes) chunks.push(chunk as Buffer);
  }
  if (size > maxBytes) throw new BodyTooLarge('the body is too large');
  return Buffer.concat(chunks).toString('utf8');
}

/** Writes the answer. */
export function send(response: ServerResponse, answer: Answer): void {
  const { html, json, text = '' } = answer;
  const type = html !== undefined ? 'text/html' : json !== undefined ? 'application/json' : 'text/plain';
  response.writeHead(answer.status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...(answer.location !== undefined && { Location: answer.location }),
    ...(answer.cookie !== undefined && { 'Set-Cookie': answer.cookie }),
  });
  response.end(html ?? (json !== undefined ? JSON.stringify(json) : text));
}

/** Programs say that they want JSON; browsers want a page. */
export function wantsJson(request: IncomingMessage): boolean {
  return request.headers.accept?.includes('application/json') ?? false;
}

/** The answer for pages that do not exist or are hidden from the caller. */
export function notFound(): Answer {
  return { status: 404, html: messagePage('There is nothing here.') };
}

/** A browser attaches our cookie to requests that other sites cause, so only our own pages may change data. */
export function isSameOrigin(request: IncomingMessage, baseUrl: string): boolean {
  return request.headers.origin === new URL(baseUrl).origin;
}
