import { InvalidFields, NotFound, type UserPrincipal } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import type { ApplicationRow } from '#schema';
import {
  destinationOf,
  grantedLinks,
  isLoopbackRedirect,
  isPrivateUse,
  scopesOf,
} from '../applications/index.ts';
import { knowsApplication } from './agreement.store.ts';
import { presentAsking } from './asking.ts';
import {
  type AuthorizationErrorCode,
  type Client,
  findProblem,
  type GivenParameters,
  readClient,
  scopesAsked,
  textOf,
} from './authorization-request.ts';
import { listTeamsToOpen } from './oauth.store.ts';
import type { CodeIssuer } from './opening.ts';
import { withParameters } from './redirect-address.ts';
import { scopesInAll } from './scopes.ts';

export interface Decision {
  readonly decision: 'allow' | 'deny';
  readonly team?: string;
  /** The scopes that the page showed; if omitted, all that it could show. */
  readonly agreed?: readonly string[];
}

export type ConsentService = ReturnType<typeof consentService>;

/** An application asks, its user decides: RFC 6749 §4.1.1 and §4.1.2, with the page in between. */
export function consentService(deps: { db: Database; issueCode: CodeIssuer; baseUrl: () => string }) {
  const { db, issueCode, baseUrl } = deps;

  /** RFC 6749 §4.1.2, and the issuer, so that a client of several servers knows whose answer it is (RFC 9207 §2). */
  const answer = ({ redirectUri, state }: Client, parameters: Record<string, string>) =>
    withParameters(redirectUri, { ...parameters, state, iss: baseUrl() });

  const refusal = (client: Client, error: AuthorizationErrorCode, error_description: string) =>
    answer(client, { error, error_description });

  /**
   * A link with a malformed request must not redirect people to an arbitrary registered address (RFC 9700 §4.11.2):
   * only an application that the person authorised before receives the error.
   * @returns the redirect for a malformed request; undefined for a valid one, which our page shows
   * @throws InvalidFields when the browser must not be redirected
   */
  async function refused(given: GivenParameters, userId: string | undefined): Promise<string | undefined> {
    const client = await readClient(db, given, baseUrl());
    if ('field' in client) throw new InvalidFields(client);
    const problem = findProblem(given, client.application);
    if (!problem) return undefined;
    const applicationId = client.application.id;
    const isKnown = userId && (await knowsApplication.first(db, { userId, applicationId }));
    if (!isKnown) throw new InvalidFields(problem);
    return refusal(client, problem.error, `${problem.field} ${problem.message}`);
  }

  /** The request as the page may show or answer it. @throws NotFound for an unknown client @throws InvalidFields */
  async function accept(reader: Reader, given: GivenParameters): Promise<Client> {
    const client = await readClient(reader, given, baseUrl());
    if ('field' in client) {
      if (client.field === 'client_id') throw new NotFound('client_id', 'There is no such application');
      throw new InvalidFields(client);
    }
    const problem = findProblem(given, client.application);
    if (problem) throw new InvalidFields(problem);
    return client;
  }

  /** The content of the consent page. */
  async function show(userId: string, given: GivenParameters) {
    const { application, redirectUri } = await accept(db, given);
    const rows = await listTeamsToOpen.all(db, { userId, applicationId: application.id });
    const wanted = parseId(given.team);
    const chosen = rows.filter(({ id }) => id === wanted);
    const shown = chosen.length > 0 ? chosen : rows;
    const links = shown.flatMap((row) => grantedLinks(application, row));
    return {
      application: await presentAsking(db, application, { links, origin: baseUrl() }),
      redirect_host: destinationOf(redirectUri),
      native: isLoopbackRedirect(redirectUri) || isPrivateUse(redirectUri),
      scopes: grantable(given, application, shown),
      // A person who picks a different team must see the scopes granted there.
      teams: rows.map((row) => ({
        id: row.id,
        name: row.name,
        color: row.color,
        icon: row.icon,
        scopes: grantable(given, application, [row]),
        agreed: row.agreed_json === null ? [] : scopesInAll(row.agreed_json, application.scopes_json),
      })),
      team: chosen[0]?.id ?? null,
    };
  }

  /** @returns where the browser goes @throws NotFound, NotAllowed for a team from which it cannot be opened */
  async function decide(
    tx: Tx,
    person: UserPrincipal,
    given: GivenParameters,
    decision: Decision,
  ): Promise<string> {
    const client = await accept(tx, given);
    if (decision.decision === 'deny') return refusal(client, 'access_denied', 'The person said no');
    if (decision.team === undefined)
      throw new InvalidFields({ field: 'team', message: 'is required to allow it' });
    const challenge = textOf(given.code_challenge);
    const opened = await issueCode(tx, {
      person,
      application: client.application,
      teamId: decision.team,
      redirectUri: client.redirectUri,
      ...(challenge !== undefined && { codeChallenge: challenge }),
      wanted: scopesAsked(given),
      agreed: decision.agreed ?? 'all',
    });
    if (!opened) throw new Error('a request that was agreed to has no code');
    return answer(client, { ...opened });
  }

  return { refused, show, decide };
}

/** RFC 6749 §3.3: the requested scopes that the admins of the teams have granted. */
function grantable(
  given: GivenParameters,
  application: ApplicationRow,
  teams: readonly { scopes_json: string }[],
): string[] {
  const asked = scopesAsked(given) ?? scopesOf(application);
  if (teams.length === 0) return [...asked];
  const granted = new Set(teams.flatMap((team) => scopesInAll(application.scopes_json, team.scopes_json)));
  return asked.filter((scope) => granted.has(scope));
}
