import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  ByHand,
  Conflict,
  defineRoute,
  InvalidFields,
  NotAllowed,
  NotFound,
  Nullable,
  Redirect,
  Text,
  Uuid,
} from '#api';
import { Scopes } from '../applications/index.ts';
import { AskingApplication } from './asking.ts';
import type { GivenParameters } from './authorization-request.ts';
import type { ConsentService } from './consent.service.ts';
import { wantsPage } from './navigation.ts';

/** Without a schema, because RFC 6749 defines the answer to each kind of mistake. */
const parameter = (description: string) => Type.Optional(ByHand(description));

const Parameters = Type.Object({
  response_type: parameter('`code`'),
  client_id: parameter('Of the application'),
  redirect_uri: parameter('One of those that it registered'),
  scope: parameter('Beyond the default, separated by spaces; default: all that the team’s admin granted'),
  state: parameter('Comes back with the answer'),
  code_challenge: parameter('RFC 7636: the SHA-256 of a verifier, in base64url'),
  code_challenge_method: parameter('`S256`'),
  team: parameter('The team to begin with'),
  prompt: parameter('`none` is refused with `interaction_required`: the person is always asked'),
});

const Consent = Type.Object({
  application: AskingApplication,
  redirect_host: Type.String({
    description: 'Where the browser goes afterwards: a host, or the scheme of a program',
  }),
  native: Type.Boolean({ description: 'Whether it goes to a program on the person’s own machine' }),
  scopes: Type.Array(Type.String(), {
    description: 'Scopes to be granted beyond the default: from `team`, else from any of the teams',
  }),
  teams: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      color: Type.String(),
      icon: Type.String(),
      scopes: Type.Array(Type.String(), { description: 'Scopes to be granted from this team' }),
      agreed: Type.Array(Type.String(), { description: 'Scopes that the caller agreed to before' }),
    }),
    { description: 'Teams of the caller that have it installed' },
  ),
  team: Nullable(Type.String({ format: 'uuid', description: 'The one that the application named' })),
});

const tag = 'OAuth';

export function authorizationRoutes(app: FastifyInstance, consent: ConsentService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/oauth2/authorize',
    access: 'anyone',
    tag,
    summary: 'Ask a person for consent (RFC 6749 §4.1.1): 303 to the page, or back with an error',
    description:
      'For a browser. A wrong request is answered to the application only where the person let it act for them before. ' +
      'Otherwise, and where the client or its redirect address is wrong, a browser gets a page that says so, and ' +
      'everybody else 4002.',
    query: Parameters,
    redirects: 'To the page of consent, or back to the application with an error',
    errors: [InvalidFields, NotAllowed, Conflict],
    handle: async ({ query, request, reply }) => {
      reply.headers({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
      return new Redirect((await refused(request, query)) ?? pageOf(request));
    },
  });

  /** Shows the person the application's mistake on our own page. */
  async function refused(request: FastifyRequest, given: GivenParameters): Promise<string | undefined> {
    try {
      const person = await app.authenticators.session(request);
      return await consent.refused(given, person?.userId);
    } catch (error) {
      const isShown = error instanceof InvalidFields || error instanceof NotAllowed;
      if (isShown && wantsPage(request)) return undefined;
      throw error;
    }
  }

  defineRoute(app, {
    method: 'GET',
    path: '/v1/oauth2/consent',
    access: 'session',
    tag,
    summary: 'Content of the consent page',
    query: Parameters,
    item: Consent,
    errors: [NotFound, NotAllowed, InvalidFields],
    handle: async ({ query, principal }) => [await consent.show(principal.userId, query)],
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/oauth2/consent',
    access: 'session',
    recent: { when: 'where the caller lets it do more than before' },
    tag,
    summary: 'Allow or deny it; the answer says where the browser goes',
    body: Type.Object({
      ...Parameters.properties,
      team: Type.Optional(Nullable(Text(100, { description: 'From which team; needed to allow it' }))),
      decision: Type.Enum(['allow', 'deny']),
      agreed: Type.Optional(Scopes('The scopes that the caller was shown; default: all that can be granted')),
    }),
    item: Type.Object({ url: Type.String() }),
    errors: [NotFound, NotAllowed, InvalidFields, Conflict],
    handle: ({ body, principal, write, reply }) =>
      write(async (tx) => {
        reply.header('Cache-Control', 'no-store');
        const { team, decision, agreed, ...given } = body;
        const decided = { decision, ...(team && { team }), ...(agreed && { agreed }) };
        return [{ url: await consent.decide(tx, principal, given, decided) }];
      }),
  });
}

/** The page belongs to the web application and has the same query. */
function pageOf(request: FastifyRequest): string {
  const { search } = new URL(request.url, 'http://here');
  return `/oauth2/authorize${search}`;
}
