import type { Application } from '../api/types.ts';
import type { StepName } from './queries.ts';

/**
 * Lines to copy, in both ways to talk to the platform, with the real addresses and ids; as docs/developers.md has them. The
 * lines for a shell have no comments: some shells take them for commands.
 */
export interface Snippet {
  readonly curl: string;
  readonly javascript: string;
}

export const JSON_TYPE = "-H 'Content-Type: application/json'";
export const BASIC = '-u "$PARLEY_CLIENT_ID:$PARLEY_CLIENT_SECRET"';
export const BEARER = '-H "Authorization: Bearer $ACCESS_TOKEN"';

export const settings = ({ id }: Application) =>
  `export PARLEY_URL=${location.origin}
export PARLEY_CLIENT_ID=${id}
export PARLEY_CLIENT_SECRET='…'`;

export const client = ({ id, redirect_uris: [redirect] }: Application) =>
  `import { ParleyApplication } from 'parley-sdk'; // npm install ${location.origin}/docs/parley-sdk.tgz

const parley = new ParleyApplication({
  baseUrl: '${location.origin}',
  clientId: '${id}',
  clientSecret: process.env.PARLEY_CLIENT_SECRET,${redirect === undefined ? '' : `\n  redirectUri: '${redirect}',`}
});`;

const pathOf = (address: string) => (URL.canParse(address) ? new URL(address).pathname : address);

/** @param team the id of a team that has it installed, or may get it */
export function snippetOf(step: StepName, application: Application, team: string): Snippet {
  const { id, redirect_uris } = application;
  const preinstall = application.preinstall_url ?? '';
  const redirect = redirect_uris[0] ?? '';
  switch (step) {
    case 'registered':
      return {
        curl: `${settings(application)}
curl -i ${BASIC} $PARLEY_URL/v1/oauth2/test/app`,
        javascript: `${client(application)}

await parley.test(); // throws when the credentials are wrong`,
      };
    case 'callback_answered':
      return {
        curl: `curl -i ${preinstall} ${JSON_TYPE} -d '{}'`,
        javascript: `${client(application)}

// POST ${pathOf(preinstall)}, with the body exactly as it came
const { team } = parley.verifyInstall(request.headers, rawBody); // throws a SignatureError
console.log(\`to be installed on \${team.name}\`);
response.writeHead(200).end(); // only 200 lets it be installed`,
      };
    case 'installed':
      return {
        curl: `curl -c me.txt ${location.origin}/v1/sessions ${JSON_TYPE} \\
  -d '{"email":"you@example.org","password":"…"}'
curl -b me.txt ${location.origin}/v1/teams/${team}/applications -H 'Origin: ${location.origin}' ${JSON_TYPE} \\
  -d '{"application":"${id}"}'`,
        javascript:
          preinstall === ''
            ? '// Nothing to do: without a pre-install address Parley does not call it.'
            : `// Parley posts to ${pathOf(preinstall)} once more, this time with the real team.
const { team, users } = parley.verifyInstall(request.headers, rawBody);
await save(team.id, team.name, users);
response.writeHead(200).end();`,
      };
    case 'code_exchanged':
      return {
        curl: `${settings(application)}
curl ${BASIC} $PARLEY_URL/v1/oauth2/token \\
  -d grant_type=authorization_code -d code=… -d redirect_uri=${redirect}`,
        javascript: `// GET ${pathOf(redirect)}?code=…&platform_team_id=…
const url = new URL(request.url, '${redirect}');
const tokens = await parley.exchangeCode(url.searchParams.get('code'));
await saveTokens(tokens); // access_token lives an hour, refresh_token gets the next pair`,
      };
    case 'token_used':
      return {
        curl: `export ACCESS_TOKEN='…'
curl ${location.origin}/v1/users/me ${BEARER}`,
        javascript: `import { ParleyUser } from 'parley-sdk';

const user = new ParleyUser(parley, tokens.access_token);
const me = await user.me();
console.log(\`\${me.first_name} has opened me\`);`,
      };
    case 'object_made':
      return {
        curl: `curl ${BASIC} ${location.origin}/v1/applications/${id}/objects ${JSON_TYPE} \\
  -d '{"name":"First task","team":"${team}","type":"task","url":"/tasks/1"}'`,
        javascript: `const object = await parley.createObject({
  name: 'First task',
  team: '${team}',
  type: 'task',
  url: '/tasks/1', // below ${application.base_url}
});
await remember(object.id);`,
      };
    case 'message_posted':
      return {
        curl: `curl ${location.origin}/v1/messages ${BEARER} ${JSON_TYPE} -H 'Idempotency-Key: task-1-done' -d '{
  "text": "{0} is done",
  "addressed_teams": ["${team}"],
  "mentions": [{"type": "appobject", "id": "…", "name": "First task"}]
}'`,
        javascript: `await user.postMessage({
  text: '{0} is done', // {0} is where the link to the object stands
  addressed_teams: ['${team}'],
  mentions: [{ type: 'appobject', id: object.id, name: 'First task' }],
}, 'task-1-done');`,
      };
  }
}

/** Starts the example application of Parley's source as the one that was registered. */
export function startExample({ id, base_url }: Application, secret: string): string {
  const { port } = URL.parse(base_url ?? '') ?? { port: '3001' };
  return `PARLEY_URL=${location.origin} PORT=${port || '80'} \\
PARLEY_CLIENT_ID=${id} \\
PARLEY_CLIENT_SECRET=${secret} \\
node bootstrap.cjs example`;
}

const HIGHEST_PORT = 65_534;

/** A port for a demonstration beside this server; its example application takes the one after. */
export function demoPort(): number {
  const port = Number(location.port) || 3000;
  return port + 100 < HIGHEST_PORT ? port + 100 : port - 100;
}
