import { createHash, randomBytes } from 'node:crypto';
import { TokenError } from './errors.ts';

/** Parameters of a sign-in. */
export interface Wish {
  /** Fewer scopes than registered, separated by spaces. */
  readonly scope?: string | undefined;
  /** The id of the team that the person is shown first. */
  readonly team?: string | undefined;
}

/** A sign-in that has begun. `state` and `verifier` belong to one browser: keep them in its session. */
export interface Authorization {
  /** Where to send the browser. */
  readonly url: string;
  readonly state: string;
  /** The secret of PKCE, which the code is exchanged with. */
  readonly verifier: string;
}

interface Options {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly redirectUri?: string;
  readonly issuer?: string;
}

/** Makes the address of the authorization endpoint, with a state (RFC 6749 §10.12) and a challenge (RFC 7636 §4.2). */
export function authorization({ baseUrl, clientId, redirectUri = '' }: Options, wish: Wish): Authorization {
  const [state, verifier] = [randomBytes(24), randomBytes(32)].map((bytes) =>
    bytes.toString('base64url'),
  ) as [string, string];
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  // URLSearchParams writes undefined as the word `undefined`.
  if (wish.scope !== undefined) query.set('scope', wish.scope);
  if (wish.team !== undefined) query.set('team', wish.team);
  return { url: `${baseUrl}/v1/oauth2/authorize?${query}`, state, verifier };
}

/**
 * @returns the code and the team of the redirect call
 * @throws TokenError when it is not the answer to this sign-in, or a refusal
 */
export function codeOf(
  { issuer }: Options,
  { state }: Pick<Authorization, 'state'>,
  url: string,
): { code: string; team: string } {
  const query = new URL(url, 'http://here').searchParams;
  const given = (name: string) => query.get(name) ?? '';
  if (state === '' || given('state') !== state) throw new TokenError('invalid_state', 400);
  // RFC 9207 §2.4: the answer of another server must not be taken for one of this server.
  if (issuer !== undefined && given('iss') !== issuer) throw new TokenError('invalid_issuer', 400);
  if (query.has('error')) throw new TokenError(given('error'), 400);
  return { code: given('code'), team: given('platform_team_id') };
}
