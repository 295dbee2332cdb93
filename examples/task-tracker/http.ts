import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a route answers: a page, a text, data, or a place to go to. */
export interface Answer {
  readonly status: number;
  readonly html?: string;
  readonly text?: string;
  readonly json?: unknown;
  readonly location?: string;
  readonly cookie?: string;
}

const MAX_BODY_BYTES = 5_000_000;

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function send(response: ServerResponse, answer: Answer): void {
  const { html, json, text = '' } = answer;
  const type = html !== undefined ? 'text/html' : json !== undefined ? 'application/json' : 'text/plain';
  response.writeHead(answer.status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    ...(answer.location !== undefined && { Location: answer.location }),
    ...(answer.cookie !== undefined && { 'Set-Cookie': answer.cookie }),
  });
  response.end(html ?? (json !== undefined ? JSON.stringify(json) : text));
}

export function readCookie(request: IncomingMessage, name: string): string | undefined {
  const cookies = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return cookies.find(([key]) => key === name)?.[1];
}

/** Our cookie comes along with requests that other sites cause: only our own pages may change something. */
export function isSameOrigin(request: IncomingMessage, baseUrl: string): boolean {
  return request.headers.origin === new URL(baseUrl).origin;
}
