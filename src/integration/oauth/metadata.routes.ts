import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AUTH_METHODS, NO_SECRET, SCOPES } from '../applications/index.ts';

export function metadataRoutes(app: FastifyInstance, baseUrl: () => string): void {
  app.get(
    '/.well-known/oauth-authorization-server',
    {
      config: { access: 'anyone', enveloped: false, errors: [] },
      schema: {
        tags: ['OAuth'],
        summary: 'Metadata (RFC 8414)',
        response: {
          200: Type.Object(
            {},
            { additionalProperties: true, examples: [metadata('https://parley.example.org')] },
          ),
        },
      },
    },
    async () => metadata(baseUrl()),
  );
}

function metadata(issuer: string) {
  const methods = AUTH_METHODS.filter((method) => method !== NO_SECRET);
  return {
    issuer,
    authorization_endpoint: `${issuer}/v1/oauth2/authorize`,
    token_endpoint: `${issuer}/v1/oauth2/token`,
    revocation_endpoint: `${issuer}/v1/oauth2/revoke`,
    introspection_endpoint: `${issuer}/v1/oauth2/introspect`,
    service_documentation: `${issuer}/docs`,
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    // RFC 9207 §3.
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: [...AUTH_METHODS],
    revocation_endpoint_auth_methods_supported: [...AUTH_METHODS],
    introspection_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    scopes_supported: [...SCOPES],
  };
}
