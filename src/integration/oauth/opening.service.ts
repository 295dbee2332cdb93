import { Conflict, lookUp, type UserPrincipal } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import type { ApplicationRow } from '#schema';
import { accessTeam } from '../../teams/index.ts';
import { destinationOf, findApplication, grantedLinks, openedAt, scopesOf } from '../applications/index.ts';
import { expectInstalled, type InstallationService, refuseAsleep } from '../installations/index.ts';
import { findAgreement } from './agreement.store.ts';
import { presentAsking } from './asking.ts';
import type { CodeIssuer } from './opening.ts';
import { withParameters } from './redirect-address.ts';
import { scopesInAll } from './scopes.ts';

export interface OpeningDeps {
  readonly db: Database;
  readonly issueCode: CodeIssuer;
  readonly installations: InstallationService;
  readonly allowLoopback: boolean;
  readonly baseUrl: () => string;
}

/** The opening that a request asks for. */
interface Wanted {
  readonly person: UserPrincipal;
  readonly applicationId: string;
  readonly teamId: string;
  /** The scopes that the person just agreed to, if they were asked. */
  readonly agreed?: readonly string[];
  /** Whether the person pressed a button of our own page. */
  readonly byPage?: boolean;
}

export type OpeningService = ReturnType<typeof openingService>;

/** A person opens an application from a team (part 4.6 of the interface). */
export function openingService(deps: OpeningDeps) {
  const { db, issueCode, installations, allowLoopback, baseUrl } = deps;
  const find = (reader: Reader, id: string): Promise<ApplicationRow> =>
    lookUp(id, (known) => findApplication.first(reader, { id: known }));

  /** @returns the redirect; undefined when the person has to be asked first */
  async function open(tx: Tx, opening: Wanted): Promise<string | undefined> {
    const { applicationId, byPage, ...given } = opening;
    const application = await find(tx, applicationId);
    if (application.initiate_login_uri !== null) return beginLogin(tx, application, opening);
    const redirectUri = redirectUriOf(application);
    const opened = await issueCode(tx, { ...given, application, redirectUri });
    return opened && withParameters(redirectUri, { ...opened, iss: baseUrl() });
  }

  /** OpenID Connect Core §4: the application starts `authorize` itself, with a state and PKCE. */
  async function beginLogin(
    reader: Reader,
    application: ApplicationRow,
    { person: { userId }, teamId, byPage }: Wanted,
  ): Promise<string | undefined> {
    const { id } = await findInstalled(reader, userId, application, teamId);
    const key = { userId, applicationId: application.id, teamId: id };
    // The page of its `authorize` asks whom our own page leads there; a link alone leads nobody there.
    if (!byPage && !(await findAgreement.first(reader, key))) return undefined;
    return withParameters(application.initiate_login_uri ?? '', { iss: baseUrl(), platform_team_id: id });
  }

  /** @throws NotFound for a team that is not the user's @throws NotAllowed unless it is installed and awake */
  async function findInstalled(reader: Reader, userId: string, application: ApplicationRow, teamId: string) {
    const team = await accessTeam(reader, userId, teamId);
    const installation = await installations.active(reader, application.id, team.id);
    expectInstalled(installation);
    refuseAsleep(application, installation);
    const granted = scopesInAll(application.scopes_json, installation.scopes_json);
    return { ...team, granted, links: grantedLinks(application, installation) };
  }

  /** The content of the consent page. */
  async function show(userId: string, applicationId: string, teamId: string) {
    const application = await find(db, applicationId);
    const { id, name, color, icon, granted, links } = await findInstalled(db, userId, application, teamId);
    const agreement = await findAgreement.first(db, { userId, applicationId: application.id, teamId: id });
    // If it starts `authorize` itself, the consent page of that request asks.
    const scopes = application.initiate_login_uri === null ? granted : [];
    const before = agreement ? scopesOf(agreement) : [];
    return {
      application: await presentAsking(db, application, { links, origin: baseUrl() }),
      redirect_host: destinationOf(application.initiate_login_uri ?? redirectUriOf(application)),
      team: { id, name, color, icon },
      scopes,
      agreed: scopes.filter((scope) => before.includes(scope)),
      opened: agreement !== undefined,
    };
  }

  /** @throws Conflict for what begins by itself: a code from here would reach whatever listens there, without PKCE */
  function redirectUriOf(application: ApplicationRow): string {
    const redirectUri = openedAt(application, allowLoopback);
    if (redirectUri === undefined)
      throw new Conflict('not_opened_here', 'The application is started where it is, and not from here');
    return redirectUri;
  }

  return { open, show };
}
