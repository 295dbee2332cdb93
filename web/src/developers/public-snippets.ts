import type { Application } from '../api/types.ts';
import type { StepName } from './queries.ts';
import { BEARER, JSON_TYPE, type Snippet, snippetOf } from './snippets.ts';

const client = ({ id }: Application) =>
  `import * as oauth from 'openid-client';

const server = new URL('${location.origin}');
const client = await oauth.discovery(server, '${id}', undefined, oauth.None(), { algorithm: 'oauth2' });`;

/** The same for an application without a secret, by a library that many programs use. */
export function publicSnippetOf(step: StepName, application: Application, team: string): Snippet {
  const { id, redirect_uris } = application;
  const redirect = redirect_uris[0] ?? '';
  const ofSecret = snippetOf(step, application, team);
  switch (step) {
    case 'registered':
      return {
        curl: `curl ${location.origin}/.well-known/oauth-authorization-server`,
        javascript: client(application),
      };
    case 'code_exchanged':
      return {
        curl: `curl ${location.origin}/v1/oauth2/token -d client_id=${id} \\
  -d grant_type=authorization_code -d code=… -d code_verifier=… -d redirect_uri=${redirect}`,
        javascript: `${client(application)}

const verifier = oauth.randomPKCECodeVerifier();
const state = oauth.randomState();
const asked = oauth.buildAuthorizationUrl(client, {
  redirect_uri: '${redirect}', // on loopback with the port that you listen on
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
});
// Have a browser go to asked.href. The address to which it came back:
const checks = { pkceCodeVerifier: verifier, expectedState: state };
const tokens = await oauth.authorizationCodeGrant(client, cameBack, checks);`,
      };
    case 'token_used':
      return {
        curl: ofSecret.curl,
        javascript: `const headers = { Authorization: \`Bearer \${tokens.access_token}\` };
const { data } = await (await fetch('${location.origin}/v1/users/me', { headers })).json();
console.log(data[0].username);`,
      };
    case 'message_posted':
      return {
        curl: `curl ${location.origin}/v1/messages ${BEARER} ${JSON_TYPE} \\
  -d '{"text":"Done","addressed_teams":["${team}"]}'`,
        javascript: `await fetch('${location.origin}/v1/messages', {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify({ text: 'Done', addressed_teams: ['${team}'] }),
});`,
      };
    default:
      return { curl: ofSecret.curl, javascript: '// Nothing to do: without a secret it is not called.' };
  }
}
