import { hash, randomBytes } from 'node:crypto';
import { Client } from './client.ts';
import type { Person, Tokens } from './people.ts';

/** A program on a person's own machine, which has no secret. */
export interface PublicClient {
  readonly id: string;
  readonly redirectUri: string;
}

/** Registers one with nothing but what it needs. */
export async function registerPublic(owner: Person, fields: object = {}): Promise<PublicClient> {
  const answer = await owner.client.post('/v1/applications', {
    name: 'Editor',
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
    listed: true,
    ...fields,
  });
  if (answer.status !== 200) throw new Error(`registering failed: ${answer.text}`);
  const { id, redirect_uris } = answer.data[0];
  return { id, redirectUri: redirect_uris[0].replace('127.0.0.1/', '127.0.0.1:53219/') };
}

export const newVerifier = () => randomBytes(32).toString('base64url');

/** The parameters of a request for a code. */
export const requestOf = (of: PublicClient, verifier: string, changed: Record<string, string> = {}) => ({
  response_type: 'code',
  client_id: of.id,
  redirect_uri: of.redirectUri,
  code_challenge: hash('sha256', verifier, 'base64url'),
  code_challenge_method: 'S256',
  ...changed,
});

/** A person says yes on our page. @returns the code */
export async function allowPublic(
  person: Person,
  team: string,
  of: PublicClient,
  verifier: string,
): Promise<string> {
  const body = { ...requestOf(of, verifier), team, decision: 'allow' };
  const answer = await person.client.post('/v1/oauth2/consent', body);
  if (answer.status !== 200) throw new Error(`consent failed: ${answer.text}`);
  return new URL(answer.data[0].url).searchParams.get('code') ?? '';
}

export const askForToken = (at: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  new Client(at).ask('POST', '/v1/oauth2/token', { form, headers });

export const codeForm = (of: PublicClient, code: string, verifier: string) => ({
  grant_type: 'authorization_code',
  client_id: of.id,
  code,
  redirect_uri: of.redirectUri,
  code_verifier: verifier,
});

/** Everything from the question to the tokens. */
export async function signInTo(of: PublicClient, person: Person, team: string): Promise<Tokens> {
  const verifier = newVerifier();
  const code = await allowPublic(person, team, of, verifier);
  const answer = await askForToken(person.client.url, codeForm(of, code, verifier));
  if (answer.status !== 200) throw new Error(`exchanging failed: ${answer.text}`);
  return answer.body;
}
