/**
 * The attacker has one application and wants more requests a minute than it may make: by tokens of its own with other scopes,
 * by tokens for other teams, and by new codes of a person who opens it again and again. All of them are counted as one.
 */
import { beforeEach, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { authorize, install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, ada } = scene({
  people: ['Ada'],
  environment: { RATE_LIMIT: 'on', RATE_LIMIT_TOKEN: '40', RATE_LIMIT_APPLICATION: '60' },
});
const SCOPES = ['messages:read', 'members:read', 'files:read'];
let teams: string[];
let application: RegisteredApplication;

beforeEach(async () => {
  server.clock.toNextMinute();
  teams = [await makeTeam(ada), await makeTeam(ada)];
  application = await register(ada, host, { scopes: SCOPES });
  for (const team of teams) await install(ada, team, application);
  server.clock.toNextMinute();
});

const limitOf = ({ headers }: Answer) => /^"(\w+)";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.slice(1);

it('counts an application’s own tokens as the application, whatever they may do', async () => {
  const counted: unknown[] = [];
  for (const team of teams)
    for (const others of [[], ['messages:read'], ['files:read'], ['messages:read', 'files:read']]) {
      const scope = ['members:read', ...others].join(' ');
      const form = { grant_type: 'client_credentials', team, scope };
      const { body } = await application.credentials.ask('POST', '/v1/oauth2/token', { form });
      const token = server.anonymous().withToken(body.access_token);
      counted.push(limitOf(await token.get(`/v1/teams/${team}`)));
    }
  expect(counted).toEqual(counted.map((_, index) => ['application', String(59 - index)]));
  const own = await application.credentials.get(`/v1/applications/${application.id}/subscriptions`);
  expect(limitOf(own)).toEqual(['application', String(59 - counted.length)]);
});

it('counts the tokens of one person by one application as one, and apart from the session', async () => {
  const counted: unknown[] = [];
  for (const team of [...teams, ...teams]) {
    const { access_token } = await authorize(ada, team, application);
    counted.push(limitOf(await server.anonymous().withToken(access_token).get('/v1/users/me')));
  }
  expect(counted).toEqual([39, 38, 37, 36].map((left) => ['token', String(left)]));
});
