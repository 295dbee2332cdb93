import { isUtf8 } from 'node:buffer';
import { type ParsedUrlQuery, parse as parsePairs } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'secure-json-parse';
import { ApiError, UnreadableBody, UnsupportedMediaType } from '../errors.ts';

/** Also accepts the list syntax of PHP, jQuery and Rails: `users[]=a&users[]=b`, `users[0]=a`. */
export function parseQuery(text: string): ParsedUrlQuery {
  const given = new Map<string, string[]>();
  for (const [name, value = []] of Object.entries(parsePairs(text))) {
    const plain = /^([^[\]]+)\[\d*\]$/.exec(name)?.[1] ?? name;
    const values = given.get(plain) ?? [];
    given.set(plain, values);
    for (const one of [value].flat()) values.push(one);
  }
  const query: ParsedUrlQuery = Object.create(null);
  for (const [name, values] of given) query[name] = values.length === 1 ? values[0] : values;
  return query;
}

export function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', forgetTypeOfNothing);
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      const body = decodeBody(request, bytes);
      request.rawBody = body;
      if (body.trim() === '') return done(null, undefined);
      done(null, wellFormed(parse(body, { protoAction: 'remove', constructorAction: 'remove' }), body));
    } catch (error) {
      done(
        error instanceof ApiError
          ? error
          : new UnreadableBody(undefined, 'The body is not valid JSON', error),
      );
    }
  });
}

/** Old HTTP libraries send a Content-Type with each DELETE. Without a body it means nothing. */
function forgetTypeOfNothing({ method, headers }: FastifyRequest, _: unknown, done: () => void): void {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (method === 'DELETE' && isEmpty) delete headers['content-type'];
  done();
}

/** A body as text: UTF-8, not compressed (RFC 8259 §8.1 for JSON). @throws UnsupportedMediaType @throws UnreadableBody */
function decodeBody({ headers }: FastifyRequest, bytes: Buffer): string {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new UnsupportedMediaType(
      undefined,
      'The body must not be compressed: send it without Content-Encoding',
    );
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && !UTF_8.has(charset)) {
    throw new UnsupportedMediaType(undefined, `The body must be UTF-8, not ${charset.slice(0, 40)}`);
  }
  if (!isUtf8(bytes)) throw new UnreadableBody(undefined, 'The body is not valid UTF-8');
  return bytes.toString('utf8');
}

/** US-ASCII is a subset of UTF-8. */
const UTF_8 = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

const MAX_DEPTH = 64;

/**
 * A lone surrogate becomes U+FFFD, as it would in the database, so that an answer shows what is stored. Only `\u`
 * escapes can contain one, so other bodies are not walked.
 */
function wellFormed(value: unknown, body: string, depth = 0): unknown {
  if (depth === 0 && !/\\u[dD][89a-fA-F]/.test(body)) return value;
  if (depth > MAX_DEPTH) throw new Error('nested too deeply');
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map((item) => wellFormed(item, body, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.toWellFormed(), wellFormed(item, body, depth + 1)]),
  );
}
