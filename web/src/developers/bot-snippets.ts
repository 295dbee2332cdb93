import type { Application } from '../api/types.ts';
import type { StepName } from './queries.ts';
import { BASIC, BEARER, client, JSON_TYPE, type Snippet, settings, snippetOf } from './snippets.ts';

/** Whether nobody opens an application: it acts as itself alone. */
export const isBot = ({ redirect_uris }: Application) => redirect_uris.length === 0;

/** The same for an application that acts as itself: it gets its tokens by its credentials. */
export function botSnippetOf(step: StepName, application: Application, team: string): Snippet {
  const posts = application.scopes.includes('messages:write');
  const to = posts ? `"addressed_teams":["${team}"]` : '"addressed_users":["…"]';
  switch (step) {
    case 'token_used':
      return {
        curl: `${settings(application)}
export ACCESS_TOKEN=$(curl -s ${BASIC} $PARLEY_URL/v1/oauth2/token \\
  -d grant_type=client_credentials -d team=${team} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl $PARLEY_URL/v1/messages ${BEARER} ${JSON_TYPE} \\
  -d '{"text":"Good morning",${to}}'`,
        javascript: `${client(application)}

const bot = parley.inTeam('${team}'); // it gets its tokens by itself
${posts ? `await bot.postMessage({ text: 'Good morning', addressed_teams: ['${team}'] });` : "await bot.writeTo('…', 'Good morning'); // the id of a member of the team"}`,
      };
    case 'message_posted':
      return {
        curl: `curl ${location.origin}/v1/messages ${BEARER} ${JSON_TYPE} -H 'Idempotency-Key: build-7' \\
  -d '{"text":"Build 7 passed",${to}}'`,
        javascript: posts
          ? `await bot.postMessage({ text: 'Build 7 passed', addressed_teams: ['${team}'] }, 'build-7');`
          : "await bot.writeTo('…', 'Build 7 passed', 'build-7');",
      };
    default:
      return snippetOf(step, application, team);
  }
}
