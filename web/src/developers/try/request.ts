import type { Route, Way } from './openapi.ts';

/** The caller's credentials; kept in the memory of this window alone. */
export interface Credentials {
  readonly way: Way;
  readonly token: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A request as entered. */
export interface Draft {
  /** By place and name, as `query.limit`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Text of the JSON, or of each field of a form. */
  readonly json: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly file: File | undefined;
  readonly idempotencyKey: string;
}

export interface Sent {
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined for a body that is not text. */
  readonly text: string | undefined;
  readonly type: string;
  readonly bytes: number;
}

/** How long a stream is read. */
const LISTEN_MS = 3000;
const HEADERS_THAT_MATTER =
  /^(content-type|content-disposition|location|allow|retry-after|ratelimit|ratelimit-policy|idempotency-.*|idempotent-.*|x-request-id|cache-control|www-authenticate|etag)$/;

export function addressOf(route: Route, { parameters }: Draft): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[`path.${name}`] ?? ''),
  );
  const query = new URLSearchParams(
    route.parameters
      .filter(({ in: place }) => place === 'query')
      .map(({ name }) => [name, parameters[`query.${name}`] ?? ''])
      .filter(([, value]) => value !== ''),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

export function headersOf(route: Route, draft: Draft, credentials: Credentials): Record<string, string> {
  const { way, token, clientId, clientSecret } = credentials;
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (way === 'token') headers.Authorization = `Bearer ${token.trim()}`;
  if (way === 'client')
    headers.Authorization = `Basic ${base64(`${clientId.trim()}:${clientSecret.trim()}`)}`;
  if (route.body?.kind === 'json') headers['Content-Type'] = 'application/json';
  if (route.body?.kind === 'form') headers['Content-Type'] = 'application/x-www-form-urlencoded';
  if (draft.idempotencyKey !== '') headers['Idempotency-Key'] = draft.idempotencyKey;
  for (const { name, in: place } of route.parameters) {
    const value = draft.parameters[`header.${name}`] ?? '';
    if (place === 'header' && value !== '') headers[name] = value;
  }
  return headers;
}

/** Encodes UTF-8 (RFC 7617 §2.1): `btoa` throws for characters beyond Latin-1. */
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

const filled = (fields: Draft['fields']) =>
  new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();

function payloadOf(route: Route, draft: Draft): BodyInit | undefined {
  if (route.body?.kind === 'json') return draft.json;
  if (route.body?.kind === 'form') return filled(draft.fields);
  if (route.body?.kind !== 'file') return undefined;
  const form = new FormData();
  if (draft.file) form.append('file', draft.file);
  return form;
}

/** Sends the request. @throws TypeError when the server cannot be reached */
export async function sendDraft(route: Route, draft: Draft, credentials: Credentials): Promise<Sent> {
  const body = payloadOf(route, draft);
  const began = performance.now();
  const response = await fetch(addressOf(route, draft), {
    method: route.method,
    headers: headersOf(route, draft, credentials),
    // Without the cookie: the user's own session must not stand in for the application's credentials.
    credentials: credentials.way === 'session' ? 'same-origin' : 'omit',
    cache: 'no-store',
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const type = response.headers.get('content-type') ?? '';
  const bytes = type.startsWith('text/event-stream') ? await listen(response) : await response.bytes();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - began),
    headers: [...response.headers].filter(([name]) => HEADERS_THAT_MATTER.test(name)),
    text: /^(text\/|application\/(json|problem|x-ndjson|jsonl))|^$/.test(type)
      ? new TextDecoder().decode(bytes)
      : undefined,
    type,
    bytes: bytes.length,
  };
}

/** A stream has no end: a few seconds of it are enough. */
async function listen(response: Response): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  const timer = setTimeout(() => void reader?.cancel(), LISTEN_MS);
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) break;
    chunks.push(next.value);
  }
  clearTimeout(timer);
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request for a shell. Secrets stand in it only by the names of variables. */
export function curlOf(route: Route, draft: Draft, credentials: Credentials): string {
  const lines = [
    `curl -i${route.method === 'GET' ? '' : ` -X ${route.method}`} ${quote(location.origin + addressOf(route, draft))}`,
  ];
  const { Authorization: _, ...headers } = headersOf(route, draft, credentials);
  if (credentials.way === 'session' && route.ways.length > 0) {
    lines.push('-b me.txt');
    if (route.method !== 'GET') lines.push(`-H ${quote(`Origin: ${location.origin}`)}`);
  }
  if (credentials.way === 'token') lines.push('-H "Authorization: Bearer $ACCESS_TOKEN"');
  if (credentials.way === 'client') lines.push('-u "$PARLEY_CLIENT_ID:$PARLEY_CLIENT_SECRET"');
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quote(`${name}: ${value}`)}`);
  if (route.body?.kind === 'json') lines.push(`-d ${quote(draft.json)}`);
  if (route.body?.kind === 'form') lines.push(`-d ${quote(filled(draft.fields))}`);
  if (route.body?.kind === 'file') lines.push(`-F file=@${quote(draft.file?.name ?? 'FILE')}`);
  return lines.join(' \\\n  ');
}
