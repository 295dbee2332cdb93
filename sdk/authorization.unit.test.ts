import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { ParleyApplication } from './index.ts';

const application = new ParleyApplication({
  baseUrl: 'https://parley.example.org/',
  clientId: 'id',
  clientSecret: 'secret',
  redirectUri: 'https://app.example.org/redirect?kept=1',
  issuer: 'https://parley.example.org',
});

it('authorize makes an address with a state and a challenge of its own', () => {
  const [one, other] = [application.authorize({ team: 'a team' }), application.authorize()];
  const { origin, pathname, searchParams } = new URL(one.url);
  expect(origin + pathname).toBe('https://parley.example.org/v1/oauth2/authorize');
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: 'id',
    redirect_uri: 'https://app.example.org/redirect?kept=1',
    state: one.state,
    code_challenge: createHash('sha256').update(one.verifier).digest('base64url'),
    code_challenge_method: 'S256',
    team: 'a team',
  });
  expect(one.verifier.length).toBeGreaterThanOrEqual(43);
  expect(new Set([one.state, one.verifier, other.state, other.verifier]).size).toBe(4);
});

it('authorize leaves out what is undefined, and its state is its own', () => {
  const wish = { team: undefined, scope: 'messages:read', state: 'mine' };
  const { url, state } = application.authorize(wish);
  const { searchParams } = new URL(url);
  expect(searchParams.has('team')).toBe(false);
  expect(searchParams.get('scope')).toBe('messages:read');
  expect(searchParams.get('state')).toBe(state);
});

it.each([
  ['another state', 'invalid_state', 'code=c&state=other&iss=https://parley.example.org'],
  [
    'no state, as when the platform opens the application',
    'invalid_state',
    'code=c&iss=https://parley.example.org',
  ],
  ['another server', 'invalid_issuer', 'code=c&state=mine&iss=https://evil.example'],
  ['a person who said no', 'access_denied', 'error=access_denied&state=mine&iss=https://parley.example.org'],
])('finishAuthorization refuses %s', async (_, error, query) => {
  const begun = { state: 'mine', verifier: 'v' };
  await expect(application.finishAuthorization(begun, `/redirect?${query}`)).rejects.toMatchObject({ error });
});

it('finishAuthorization takes no empty state for one that was lost', async () => {
  const begun = { state: '', verifier: '' };
  const url = '/redirect?code=c&state=&iss=https://parley.example.org';
  await expect(application.finishAuthorization(begun, url)).rejects.toMatchObject({ error: 'invalid_state' });
});
