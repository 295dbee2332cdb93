import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
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
} from './errors.ts';
import type { Access } from './principal.ts';
import type { RouteConfig } from './route-config.ts';

const TOKEN_ERRORS: Record<number, string[]> = {
  400: ['invalid_request', 'invalid_grant', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope'],
  401: ['invalid_client'],
  429: ['temporarily_unavailable'],
  500: ['server_error'],
  503: ['temporarily_unavailable'],
};

/** Makes openapi.json from the schemas of the routes. Register it before the first route. */
export async function documentRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        version,
        description: 'The integration interface of Parley, and the routes that its own clients use.',
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token: a user, through an application',
          },
          session: { type: 'apiKey', in: 'cookie', name: 'parley_session' },
          clientId: { type: 'apiKey', in: 'query', name: 'client_id' },
          clientSecret: { type: 'apiKey', in: 'query', name: 'client_secret' },
          basic: { type: 'http', scheme: 'basic', description: 'Client id and client secret' },
        },
      },
    },
    hideUntagged: true,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `def-${index}`,
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: describe(schema, (route.config ?? {}) as Partial<RouteConfig>, [route.method].flat()),
    }),
  });
}

/** Adds what follows from the route's access and shape: its security and all its possible errors. */
function describe(schema: FastifySchema, config: Partial<RouteConfig>, methods: string[]): FastifySchema {
  if (config.enveloped === undefined || !config.access) return schema;
  const response = {
    ...(schema?.response as Record<string, TSchema>),
    ...errorAnswers(schema, config, methods),
  };
  return { ...schema, response, ...security(config.access) } as FastifySchema;
}

function security(access: Access): object {
  if (access === 'anyone') return {};
  if (access === 'application') return { security: [{ clientId: [], clientSecret: [] }, { basic: [] }] };
  if (access === 'session' || access === 'superuser') return { security: [{ session: [] }] };
  return { security: [{ token: [] }, { session: [] }] };
}

function errorAnswers(
  schema: FastifySchema,
  config: Partial<RouteConfig>,
  methods: string[],
): Record<number, object> {
  if (!config.enveloped) return tokenErrorAnswers(config);
  const byStatus = Map.groupBy(errorsOf(schema, config, methods), (error) => statusOf(error.code));
  return Object.fromEntries([...byStatus].map(([status, errors]) => [status, errorAnswer(errors)]));
}

function tokenErrorAnswers(config: Partial<RouteConfig>): Record<number, object> {
  if (!config.strict) return {};
  return Object.fromEntries(
    Object.entries(TOKEN_ERRORS).map(([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        type: 'object',
        required: ['error'],
        additionalProperties: false,
        properties: { error: { type: 'string', enum: codes } },
      },
    ]),
  );
}

function errorsOf(schema: FastifySchema, config: Partial<RouteConfig>, methods: string[]): Set<ErrorClass> {
  const { access } = config;
  const unsafe = !methods.includes('GET');
  return new Set<ErrorClass>([
    ...(config.errors ?? []),
    ...(schema.body ? [UnreadableBody, InvalidFields] : []),
    ...(unsafe ? [UnreadableBody, TooLarge, UnsupportedMediaType] : []),
    ...(schema.querystring || config.repeatable ? [InvalidFields] : []),
    ...(schema.params ? [NotFound] : []),
    ...(access === 'anyone' ? [] : [NotAuthorized]),
    ...(access === 'anyone' || access === 'application' ? [] : [InvalidToken]),
    ...(access === 'superuser' ? [NotAllowed] : []),
    ...(access === 'session' || access === 'superuser' || typeof access === 'object' ? [ScopeMissing] : []),
    ...(unsafe && access !== 'anyone' && access !== 'application' ? [NotAllowed] : []),
    ...(config.repeatable && access !== 'anyone' ? [Conflict] : []),
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
          },
        },
      },
    },
  };
}
