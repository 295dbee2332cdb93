import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { safeParse } from 'secure-json-parse';
import { Type } from 'typebox';
import { type ApiError, NotAllowed, noteError, retryAfterOf, toApiError, Uuid } from '#api';
import {
  basicCredentials,
  type Client,
  type ClientRefusal,
  type GivenClient,
} from '../applications/index.ts';
import type { FailureService } from './failure.service.ts';
import type { OwnTokenService } from './grants/client-credentials.ts';
import type { TokenService } from './token.service.ts';
import { refusal, TokenError, type TokenErrorCode } from './token-error.ts';

type Form = Readonly<Record<string, string>>;
const MOST_BYTES = 65_536;
const TOKEN = '/v1/oauth2/token';

export interface TokenRoutesDeps {
  readonly tokens: TokenService;
  readonly ownTokens: OwnTokenService;
  readonly failures: FailureService;
  /** @returns why a client is refused @throws NotAllowed for one that sleeps */
  readonly identify: (given: GivenClient) => Promise<Client | ClientRefusal>;
}

const TokenResponse = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds' }),
  refresh_token: Type.Optional(Type.String({ description: 'Not with `client_credentials`' })),
  scope: Type.Optional(Type.String()),
});

const Text = Type.String();
const Credential = { client_id: Type.Optional(Text), client_secret: Type.Optional(Text) };

const TokenForm = Type.Object({
  grant_type: Type.String({ description: '`authorization_code`, `refresh_token` or `client_credentials`' }),
  code: Type.Optional(Text),
  redirect_uri: Type.Optional(Text),
  code_verifier: Type.Optional(Text),
  refresh_token: Type.Optional(Text),
  scope: Type.Optional(Text),
  team: Type.Optional(
    Type.String({
      description: 'With `client_credentials`: the team on which the application acts as itself',
    }),
  ),
  resource: Type.Optional(
    Type.String({ description: 'The same as an address (RFC 8707): `{base_url}/v1/teams/{team}`' }),
  ),
  ...Credential,
});

const Introspection = Type.Object({
  active: Type.Boolean({
    description: 'false also for tokens of other applications; then there is nothing else',
  }),
  client_id: Type.Optional(Uuid),
  sub: Type.Optional(Type.String({ format: 'uuid', description: 'The user; of an own token, the author' })),
  team: Type.Optional(Type.String({ format: 'uuid', description: 'From which team it was given' })),
  token_type: Type.Optional(Type.String({ description: '`Bearer` or `refresh_token`' })),
  exp: Type.Optional(Type.Integer({ description: 'When it ends, Unix time in seconds' })),
  iat: Type.Optional(Type.Integer({ description: 'Since when it acts, Unix time in seconds' })),
  scope: Type.Optional(Type.String({ description: 'What it may do now, separated by spaces' })),
});

const OneTokenForm = Type.Object({ token: Text, token_type_hint: Type.Optional(Text), ...Credential });

/** A body that is no form, kept so that the owner of the client learns of it. */
class JsonBody {
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(text: string) {
    const parsed = safeParse(text) as unknown;
    this.fields = parsed !== null && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : {};
  }
}

/** The token route and its relatives: form-encoded, without the envelope, errors as `{"error": …}` (RFC 6749 §5). */
export async function tokenRoutes(app: FastifyInstance, deps: TokenRoutesDeps): Promise<void> {
  const { tokens, ownTokens, failures, identify } = deps;
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: MOST_BYTES });
  const asText = { parseAs: 'string', bodyLimit: MOST_BYTES } as const;
  app.addContentTypeParser(
    'application/json',
    asText,
    async (_: unknown, text: string) => new JsonBody(text),
  );
  app.addContentTypeParser('*', asText, async () => undefined);
  // The documentation shows the form; checking it is the protocol's own business.
  app.setValidatorCompiler(() => () => true);
  app.setErrorHandler((error: Error, request, reply) => sendTokenError(error, request, reply));
  app.addHook(
    'onSend',
    async (_, reply) => void reply.headers({ 'Cache-Control': 'no-store', Pragma: 'no-cache' }),
  );

  /** RFC 6749 §2.3.1: as Basic or in the form, but not both. @throws TokenError */
  async function client(request: FastifyRequest): Promise<Client> {
    const basic = basicCredentials(request.headers.authorization);
    const { client_id: id, client_secret: secret } = request.body as Form;
    if (basic && secret) throw refusal('two_credentials');
    const found = await identify(basic ?? { id, secret }).catch((error: unknown) => {
      throw error instanceof NotAllowed ? refusal('suspended') : error;
    });
    if (typeof found === 'string') throw refusal(found);
    return found;
  }

  const route = (
    path: string,
    body: object,
    ok: object,
    summary: string,
    handler: (request: FastifyRequest) => Promise<object>,
  ) =>
    app.route({
      method: 'POST',
      url: path,
      config: { access: 'anyone', strict: true, enveloped: false, errors: [] },
      schema: {
        tags: ['OAuth'],
        summary,
        consumes: ['application/x-www-form-urlencoded'],
        body,
        response: { 200: ok },
      },
      handler: async (request) => {
        try {
          refuseBadForm(request.body);
          return await handler(request);
        } catch (error) {
          if (path === TOKEN && error instanceof TokenError) await failures.note(namedIn(request), error);
          throw error;
        }
      },
    });

  route(TOKEN, TokenForm, TokenResponse, 'Get or refresh an access token', async (request) => {
    const { applicationId, isPublic } = await client(request);
    const form = request.body as Form;
    if (form.grant_type === undefined) throw refusal('no_grant_type');
    if (form.grant_type === 'authorization_code') {
      const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = form;
      if (!code) throw refusal('no_code');
      if (!redirectUri) throw refusal('no_redirect_uri');
      return tokens.exchange(applicationId, { code, redirectUri, codeVerifier });
    }
    if (form.grant_type === 'client_credentials') {
      // RFC 6749 §4.4: for confidential clients alone.
      if (isPublic) throw refusal('public_client');
      const { team, resource, scope } = form;
      return ownTokens.issue(applicationId, { team, resource, scope }, request.ip);
    }
    if (form.grant_type !== 'refresh_token') throw refusal('unknown_grant_type');
    if (!form.refresh_token) throw refusal('no_refresh_token');
    return tokens.refresh(applicationId, form.refresh_token, form.scope);
  });

  route('/v1/oauth2/revoke', OneTokenForm, Type.Object({}), 'End a token (RFC 7009)', async (request) => {
    const { applicationId } = await client(request);
    const { token } = request.body as Form;
    if (!token) throw new TokenError('invalid_request');
    await tokens.revoke(applicationId, token);
    return {};
  });

  route(
    '/v1/oauth2/introspect',
    OneTokenForm,
    Introspection,
    'The state of a token (RFC 7662)',
    async (request) => {
      const { applicationId, isPublic } = await client(request);
      // RFC 7662 §2.1: who asks has to prove who it is.
      if (isPublic) throw new TokenError('invalid_client');
      const { token } = request.body as Form;
      if (!token) throw new TokenError('invalid_request');
      return tokens.introspect(applicationId, token);
    },
  );
}

/** Whose request it says it is, whatever its body. */
function namedIn(request: FastifyRequest) {
  const fields = request.body instanceof JsonBody ? request.body.fields : ((request.body ?? {}) as Form);
  const { client_id, grant_type } = fields;
  const clientId = basicCredentials(request.headers.authorization)?.id ?? [client_id].flat()[0];
  return { clientId, grantType: [grant_type].flat()[0] };
}

/** RFC 6749 §3.2: every parameter at most once. */
function refuseBadForm(body: unknown): void {
  if (body instanceof JsonBody) throw refusal('json_body');
  if (!body) throw refusal('no_form');
  if (Object.values(body).some((value) => typeof value !== 'string')) throw refusal('repeated_parameter');
}

function sendTokenError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof TokenError ? error : translate(toApiError(error), request, reply);
  if (known.status === 401) reply.header('WWW-Authenticate', 'Basic realm="applications"');
  return reply
    .code(known.status)
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send({ error: known.error });
}

function translate(error: ApiError, request: FastifyRequest, reply: FastifyReply): TokenError {
  const { status } = error;
  noteError(error, request);
  const retryAfter = retryAfterOf(error);
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  const code: TokenErrorCode =
    status === 429 || status === 503
      ? 'temporarily_unavailable'
      : status >= 500
        ? 'server_error'
        : 'invalid_request';
  // RFC 9110 §15.5.20: the client may ask again under the right name.
  return new TokenError(code, code === 'invalid_request' && status !== 421 ? 400 : status);
}
