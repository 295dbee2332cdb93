import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Batch, Tx, WriteOptions } from '#platform/db/index.ts';
import type { ErrorClass, SizeLimit } from '../errors.ts';
import { attribute, type Origin, requestOrigin } from '../guard/origin.ts';
import { type Access, isSession, type PrincipalOf, principalKey } from '../guard/principal.ts';
import { type Again, type Attempt, MAX_KEY_LENGTH, readAttempt } from '../idempotency/attempt.ts';
import type { Recent, RouteConfig } from './route-config.ts';
import { Written } from './written.ts';
import '../guard/context.ts';

/** The input of a handler: checked values, the caller, and the means to write. */
export interface Call<A extends Access, B, Q, P> {
  readonly body: B;
  readonly query: Q;
  readonly params: P;
  readonly principal: PrincipalOf<A>;
  /** Access to plain HTTP: headers, cookies, the client's address. */
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** For writes that do not go through `write`: see origin.ts. */
  readonly origin: Origin;
  /** The Idempotency-Key, by which the windows of a person know what one of them has sent; not of a token. */
  readonly key: string | undefined;
  /**
   * Runs one transaction and answers with its result. A request that repeats the Idempotency-Key gets the same
   * answer. `again` rebuilds answers that hold user content.
   */
  write<T>(
    work: (tx: Tx) => Promise<T[]>,
    how?: Pick<WriteOptions, 'lane' | 'shared'> & { again?: Again<T> },
  ): Promise<T[]>;
  /** Writes one item of a batch. Its writes have no origin, since items may belong to different requests. */
  batch<Item, T>(
    batch: Batch<Item, T[]>,
    item: Item,
    how?: Pick<WriteOptions, 'lane' | 'shared'> & { again?: Again<T> },
  ): Promise<T[]>;
  /** Does work that makes outbound calls, and so cannot be one transaction. */
  once<T>(work: () => Promise<T[]>): Promise<T[]>;
}

/** An answer that also fills `meta`. */
export class Answer<T> {
  readonly data: T[] | Written<T>;
  readonly meta: Record<string, unknown>;

  constructor(data: T[] | Written<T>, meta: Record<string, unknown>) {
    this.data = data;
    this.meta = meta;
  }
}

/** Redirects the browser with 303. */
export class Redirect {
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }
}

/** Answers a text without the envelope, for callers that expect another product's answers. */
export class PlainText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface RouteSpec<
  A extends Access,
  B extends TSchema,
  Q extends TObject,
  P extends TObject,
  Item extends TSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Required: without it the server does not start. */
  readonly access: A;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** One item of `data`; without it, `data` is always empty. */
  readonly item?: Item;
  readonly meta?: TObject;
  /** Errors beyond those implied by the route's access and shape. */
  readonly errors?: readonly ErrorClass[];
  /** Counts against a stricter limit, for routes on which tokens or passwords could be guessed. */
  readonly strict?: boolean | 'sign_in';
  /**
   * Set for what hands out or redirects a secret or a right, or cannot be undone. Routes by which administrators write
   * ask without it: `never` says why one does not.
   */
  readonly recent?: Recent | { readonly never: string };
  /** The answer is not stored under an Idempotency-Key, because it sets a cookie. */
  readonly notRepeatable?: boolean;
  /** Set for a route that may answer with a `Redirect`: when it does. */
  readonly redirects?: string;
  /** Set for a route that answers a `PlainText`: what it says. */
  readonly plain?: string;
  /** Set for a route that takes one `file` as multipart/form-data. */
  readonly uploads?: boolean;
  /** Set for lists whose answers are long, and show no secret: see compression.ts. */
  readonly compressed?: true;
  /** The limit of its body, where it is not that of most routes. */
  readonly mostOfBody?: SizeLimit;
  handle(
    call: Call<A, Static<B>, Static<Q>, Static<P>>,
  ): Promise<Static<Item>[] | Answer<Static<Item>> | Redirect | PlainText>;
}

const EmptyObject = Type.Object({});

/** Adds a route of the interface: schema in, one call, one answer in the envelope of part 2.1. */
export function defineRoute<
  const A extends Access,
  B extends TSchema = typeof EmptyObject,
  Q extends TObject = typeof EmptyObject,
  P extends TObject = typeof EmptyObject,
  Item extends TSchema = TSchema,
>(app: FastifyInstance, spec: RouteSpec<A, B, Q, P, Item>): void {
  const { method, path, body, query, params, item, handle } = spec;
  const config: RouteConfig = {
    access: spec.access,
    errors: spec.errors ?? [],
    strict: spec.strict ?? false,
    recent: recentOf(spec),
    repeatable: method === 'POST' && !spec.notRepeatable,
    enveloped: true,
    ...(spec.redirects !== undefined && { redirects: spec.redirects }),
    ...(spec.uploads !== undefined && { uploads: spec.uploads }),
    ...(spec.compressed !== undefined && { compressed: spec.compressed }),
    ...(spec.mostOfBody !== undefined && { mostOfBody: spec.mostOfBody }),
  };
  app.route({
    method,
    url: path,
    config,
    ...(spec.mostOfBody !== undefined && { bodyLimit: spec.mostOfBody.bytes }),
    schema: {
      tags: [spec.tag],
      summary: spec.summary,
      ...(spec.description && { description: spec.description }),
      ...(body && { body }),
      ...(query && { querystring: query }),
      ...(params && { params }),
      // A route that redirects and has no item does nothing else.
      ...(spec.plain !== undefined
        ? { response: { 200: plainText(spec.plain) } }
        : (item || spec.redirects === undefined) && { response: { 200: envelope(item, spec.meta) } }),
    },
    handler: async (request, reply) => {
      // Nearly all answers are for one caller. A cacheable one sets its own header.
      reply.header('Cache-Control', 'no-store');
      const key = keyOf(request, config);
      if (key !== undefined) reply.header('Idempotency-Key', key);
      const result = await handle(callOf(app, config, request, reply, key));
      if (result instanceof Redirect) return reply.redirect(checkLocation(result.location), 303);
      if (result instanceof PlainText) return reply.type('text/plain; charset=utf-8').send(result.text);
      const { meta, data } = result instanceof Answer ? result : { data: result, meta: {} };
      const time = reply.elapsedTime / 1000;
      return data instanceof Written ? sendWritten(reply, meta, data) : { meta, data, time };
    },
  });
}

function recentOf(
  spec: Pick<RouteSpec<Access, TSchema, TObject, TObject, TSchema>, 'recent' | 'access' | 'method'>,
): Recent {
  const { recent, access, method } = spec;
  if (recent === undefined) return access === 'superuser' && method !== 'GET';
  return typeof recent === 'object' && 'never' in recent ? false : recent;
}

/** Puts the items into the envelope, whose last field is a number. */
function sendWritten(reply: FastifyReply, meta: Record<string, unknown>, { pieces }: Written<unknown>) {
  const empty = String(reply.serialize({ meta, data: [], time: reply.elapsedTime / 1000 }));
  const at = empty.lastIndexOf(']');
  const text = [empty.slice(0, at), ...pieces, empty.slice(at)].join('');
  return reply.type('application/json; charset=utf-8').send(text);
}

/** RFC 9110 §10.2.2: only an address in plain ASCII may appear in the header. */
function checkLocation(location: string): string {
  if (/^[\x21-\x7e]+$/.test(location) && URL.canParse(location, 'http://here')) return location;
  throw new Error(`${JSON.stringify(location)} is not a valid redirect address`);
}

const plainText = (description: string) => ({
  description,
  content: { 'text/plain': { schema: { type: 'string' } } },
});

function envelope(item: TSchema | undefined, meta: TObject | undefined) {
  return Type.Object(
    {
      meta: meta ?? Type.Object({}),
      data: item ? Type.Array(item) : Type.Array(Type.Object({}), { maxItems: 0 }),
      time: Type.Number({ description: 'Processing time in seconds' }),
    },
    { description: 'Success' },
  );
}

function callOf<A extends Access, B, Q, P>(
  app: FastifyInstance,
  config: RouteConfig,
  request: FastifyRequest,
  reply: FastifyReply,
  key: string | undefined,
): Call<A, B, Q, P> {
  const origin = requestOrigin(request);
  return {
    body: request.body as B,
    query: request.query as Q,
    params: request.params as P,
    principal: request.principal as PrincipalOf<A>,
    request,
    reply,
    origin,
    key: isSession(request.principal) ? key : undefined,
    write: (work, { lane = laneOf(request), ...how } = {}) =>
      app.idempotency.write(
        attemptOf(request, config),
        (tx) => {
          attribute(tx, origin);
          return work(tx);
        },
        { lane, ...how },
      ),
    batch: (batch, item, { lane = laneOf(request), ...how } = {}) =>
      app.idempotency.batch(attemptOf(request, config), batch, item, { lane, ...how }),
    once: (work) => app.idempotency.once(attemptOf(request, config), work),
  };
}

/** The lane of the write: the object named in the path, else the caller. */
function laneOf({ params, principal }: FastifyRequest): string | undefined {
  const { team, message, sidebar } = params as Record<string, string | undefined>;
  return team ?? message ?? sidebar ?? (principal && principalKey(principal));
}

/** Only what comes back as it was sent: in a header, other characters have no one encoding (RFC 9110 §5.5). */
function keyOf({ headers, principal }: FastifyRequest, { repeatable }: RouteConfig): string | undefined {
  const key = headers['idempotency-key'];
  if (!repeatable || !principal || typeof key !== 'string' || key.length > MAX_KEY_LENGTH) return undefined;
  return /^[\x20-\x7e]+$/.test(key) ? key : undefined;
}

function attemptOf(request: FastifyRequest, config: RouteConfig): Attempt | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !config.repeatable || !request.principal) return undefined;
  const asked = `${request.method} ${request.url} ${request.rawBody ?? ''}`;
  return readAttempt(principalKey(request.principal), key, asked);
}
