import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import { MAX_KEY_LENGTH } from '../idempotency/attempt.ts';
import type { RouteConfig } from '../route/route-config.ts';
import { describeAccess, securityOf } from './access.ts';
import { shareComponents } from './components.ts';
import { errorAnswers } from './errors.ts';
import { addExamples } from './examples.ts';
import { withForms } from './forms.ts';
import { operationIdOf } from './operation-id.ts';
import type { Document } from './types.ts';

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
      schema: describe(schema, url, (route.config ?? {}) as Partial<RouteConfig>, [route.method].flat()),
    }),
    transformObject: (given) => shareComponents(addExamples(documentOf(given))) as never,
  });
}

function documentOf(given: object): Document {
  if ('openapiObject' in given) return given.openapiObject as Document;
  throw new Error('@fastify/swagger did not make an OpenAPI document');
}

/** Adds what the route's access and shape imply: who may call it, what it takes besides, and every error it can give. */
function describe(
  schema: FastifySchema,
  url: string,
  config: Partial<RouteConfig>,
  methods: string[],
): FastifySchema {
  if (config.enveloped === undefined || !config.access) return schema;
  const access = describeAccess(config as RouteConfig);
  return {
    ...schema,
    operationId: operationIdOf(methods[0] ?? 'GET', url),
    description: schema.description ? `${schema.description}\n\n${access}` : access,
    response: {
      ...(schema.response as Record<string, TSchema>),
      ...(config.redirects && { 303: redirection(config.redirects) }),
      ...errorAnswers(schema, config, methods),
    },
    security: securityOf(config as RouteConfig),
    ...(schema.querystring ? { querystring: withForms(schema.querystring) } : {}),
    ...bodyOf(schema, config),
    ...(config.repeatable && config.access !== 'anyone' && { headers: IdempotencyHeaders }),
  } as FastifySchema;
}

const redirection = (description: string) => ({
  description,
  type: 'null',
  headers: { Location: { type: 'string', description: 'Where the browser goes' } },
});

function bodyOf({ body }: FastifySchema, { uploads }: Partial<RouteConfig>): object {
  if (uploads) return { consumes: ['multipart/form-data'], body: Upload };
  return body ? { body: withForms(body) } : {};
}

const Upload = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary' } },
};

const IdempotencyHeaders = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      maxLength: MAX_KEY_LENGTH,
      description: 'A request with the same key and content is done once; the answer is given again',
    },
  },
};
