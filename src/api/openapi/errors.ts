import type { FastifySchema } from 'fastify';
import {
  Conflict,
  type ErrorClass,
  InternalError,
  InvalidFields,
  InvalidToken,
  NotAllowed,
  NotAuthorized,
  NotFound,
  ScopeMissing,
  statusOf,
  TooLarge,
  TooManyRequests,
  Unavailable,
  UnreadableBody,
  UnsupportedMediaType,
  WrongHost,
} from '../errors.ts';
import type { RouteConfig } from '../route/route-config.ts';

const TOKEN_ERRORS: Record<number, string[]> = {
  400: [
    'invalid_request',
    'invalid_grant',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
    'invalid_target',
  ],
  401: ['invalid_client'],
  429: ['temporarily_unavailable'],
  500: ['server_error'],
  503: ['temporarily_unavailable'],
};

/** RFC 9110 §10.2.3. */
const LATER = { headers: { 'Retry-After': { type: 'integer', description: 'Seconds to wait' } } };
const headersOf = (status: number) => (status === 429 || status === 503 ? LATER : {});

/** Every error that the route can give, by its status. */
export function errorAnswers(
  schema: FastifySchema,
  config: Partial<RouteConfig>,
  methods: string[],
): Record<number, object> {
  if (!config.enveloped) return tokenErrorAnswers(config);
  const byStatus = Map.groupBy(errorsOf(schema, config, methods), (error) => statusOf(error.code));
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [status, { ...errorAnswer(errors), ...headersOf(status) }]),
  );
}

function tokenErrorAnswers(config: Partial<RouteConfig>): Record<number, object> {
  const given = Object.entries(TOKEN_ERRORS).filter(([status]) => config.strict || Number(status) >= 429);
  return Object.fromEntries(
    given.map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        ...headersOf(Number(status)),
        type: 'object',
        required: ['error'],
        additionalProperties: false,
        properties: { error: { type: 'string', enum: codes } },
      },
    ]),
  );
}

/** Without credentials: by nothing, or by the secret in the address. */
const isOpen = (access: RouteConfig['access'] | undefined) =>
  access === 'anyone' || access === 'webhook' || access === 'response';

const takesTokens = (access: RouteConfig['access'] | undefined) =>
  !isOpen(access) && access !== 'application';

function errorsOf(schema: FastifySchema, config: Partial<RouteConfig>, methods: string[]): Set<ErrorClass> {
  const { access } = config;
  const unsafe = !methods.includes('GET');
  return new Set<ErrorClass>([
    ...(config.errors ?? []),
    ...(schema.body ? [UnreadableBody, InvalidFields] : []),
    ...(unsafe ? [UnreadableBody, TooLarge, UnsupportedMediaType] : []),
    ...(schema.querystring || config.repeatable ? [InvalidFields] : []),
    ...(schema.params ? [NotFound] : []),
    ...(isOpen(access) ? [] : [NotAuthorized]),
    ...(takesTokens(access) ? [InvalidToken, ScopeMissing] : []),
    ...(access === 'superuser' || config.recent ? [NotAllowed] : []),
    // An application that sleeps.
    ...(access === 'application' || access === 'developer' ? [NotAllowed] : []),
    ...(unsafe && takesTokens(access) ? [NotAllowed] : []),
    ...(config.repeatable && access !== 'anyone' ? [Conflict] : []),
    WrongHost,
    TooManyRequests,
    InternalError,
    Unavailable,
  ]);
}

function errorAnswer(errors: readonly ErrorClass[]): object {
  const sorted = [...errors].sort((one, other) => one.code - other.code);
  return {
    description: sorted.map(({ code, when }) => `${code}: ${when}`).join('\n\n'),
    type: 'object',
    required: ['errors'],
    additionalProperties: false,
    properties: {
      errors: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['message', 'code'],
          additionalProperties: false,
          properties: {
            message: { type: 'string' },
            code: { type: 'integer', enum: sorted.map(({ code }) => code) },
            reason: { type: 'string' },
            pointer: {
              type: 'string',
              description: 'Of a problem with blocks: its place in the body (RFC 6901)',
            },
          },
        },
      },
    },
  };
}
