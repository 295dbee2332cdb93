import { Conflict, InvalidFields, lookUp, NotFound } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { ApplicationRow, InstallationRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { accessTeamAsAdmin } from '../../teams/index.ts';
import {
  type DecidedLinks,
  decidedLinks,
  isBelow,
  linkPrefixesOf,
  scopesOf,
  shareApplication,
} from '../applications/index.ts';
import type { InstallationListener } from './installation.changes.ts';
import type { Decision, Installation } from './installation.schema.ts';
import { findActive, lockToDecide, setScopes } from './installation.store.ts';
import type { InstallationViews } from './installation.views.ts';
import { declinedOf, withDecision } from './scope-history.ts';

/** The decision of an admin. */
interface Grant {
  readonly application: string;
  readonly scopes: readonly string[];
  readonly declined?: readonly string[];
  readonly link_prefixes?: readonly string[];
  readonly declined_link_prefixes?: readonly string[];
  readonly owner?: string;
}

/** Decides what an installed application may do on a team. */
export function granting(deps: {
  db: Database;
  clock: Clock;
  views: InstallationViews;
  onChange: InstallationListener;
  /** Sends what waited while the installation was asleep. */
  onWake: (tx: Tx) => Promise<void>;
  record: Recorder;
}) {
  const { db, clock, views, onChange, onWake, record } = deps;

  /**
   * Sets the scopes of its tokens for this team, and which of those it asks for are declined: these are asked for no
   * more, until they are granted after all. An application that sleeps here because it is in other hands wakes.
   * @throws InvalidFields for scopes that the application does not request
   * @throws Conflict where `owner` is not the one that the admin was shown
   */
  async function grant(tx: Tx, userId: string, teamId: string, given: Grant): Promise<Installation> {
    const team = await accessTeamAsAdmin(tx, userId, teamId);
    const application = await lookUp(given.application, (id) => shareApplication.first(tx, { id }));
    if (given.owner !== undefined && given.owner.toLowerCase() !== application.owner_id)
      throw new Conflict('other_owner', 'The application has another owner by now');
    const found = await findActive.first(tx, { applicationId: application.id, teamId: team.id });
    const row = found && (await lockToDecide.first(tx, { id: found.id }));
    if (!row) throw new NotFound();
    const { scopes } = given;
    const asked = scopesOf(application);
    refuseUnknown((scope) => asked.includes(scope), { scopes, declined: given.declined ?? [] });
    const links = decideLinks(application, row, given);
    const declined = given.declined ?? declinedOf(row).filter((scope) => !scopes.includes(scope));
    const at = clock();
    const changed = {
      ...row,
      scopes_json: JSON.stringify(scopes),
      declined_json: JSON.stringify(declined),
      scope_history_json: withDecision(row, { at, by: userId, scopes: [...scopes], declined: [...declined] }),
      link_prefixes_json: JSON.stringify(links),
      asleep_since: null,
      woken_at: row.asleep_since === null ? row.woken_at : at,
      updated_at: at,
    };
    if (!(await setScopes.first(tx, changed))) throw new NotFound();
    await onChange(tx, { ...row, change: 'scopes', linksTaken: given.link_prefixes !== undefined });
    await record(tx, {
      action: 'application.scopes_granted',
      target: ['application', application.id],
      teamId: team.id,
      detail: {
        scopes,
        ...differenceOf(scopesOf(row), scopes),
        declined,
        ...(given.link_prefixes && { links: given.link_prefixes }),
        ...(row.asleep_since !== null && { confirmed_owner: application.owner_id }),
      },
    });
    if (row.asleep_since !== null) await onWake(tx);
    return views.presentInstallation(tx, changed);
  }

  /** The decisions of admins about an application that is installed, the newest first. @throws NotFound */
  async function decisions(userId: string, teamId: string, applicationId: string): Promise<Decision[]> {
    const team = await accessTeamAsAdmin(db, userId, teamId);
    const row = await lookUp(applicationId, (id) =>
      findActive.first(db, { applicationId: id, teamId: team.id }),
    );
    return views.presentDecisions(row);
  }

  return { grant, decisions };
}

/** Without `link_prefixes`, as it was. @throws InvalidFields as `refuseUnknown` does */
function decideLinks(
  application: ApplicationRow,
  row: InstallationRow,
  { link_prefixes: links, declined_link_prefixes: given }: Grant,
): DecidedLinks {
  const before = decidedLinks(row);
  const granted = links ?? before.granted;
  const asked = linkPrefixesOf(application);
  refuseUnknown(
    (prefix) => asked.some((one) => isBelow(prefix, one)),
    { scopes: links ?? [], declined: given ?? [] },
    { scopes: 'link_prefixes', declined: 'declined_link_prefixes' },
  );
  const declined = given ?? before.declined;
  return { granted, declined: declined.filter((one) => !granted.includes(one)) };
}

/** @throws InvalidFields for what is not asked for, and for what is granted and declined at once */
function refuseUnknown(
  isAsked: (one: string) => boolean,
  { scopes, declined }: { scopes: readonly string[]; declined: readonly string[] },
  fields = { scopes: 'scopes', declined: 'declined' },
): void {
  const unknown = (field: string, list: readonly string[]) =>
    list.flatMap((scope, index) =>
      isAsked(scope)
        ? []
        : [{ field: `${field}.${index}`, message: 'is not asked for by the application any more' }],
    );
  const both = declined.flatMap((scope, index) =>
    scopes.includes(scope)
      ? [{ field: `${fields.declined}.${index}`, message: 'is granted by the same request' }]
      : [],
  );
  const problems = [...unknown(fields.scopes, scopes), ...unknown(fields.declined, declined), ...both];
  if (problems.length > 0) throw new InvalidFields(problems);
}

const differenceOf = (before: readonly string[], after: readonly string[]) => ({
  added: after.filter((scope) => !before.includes(scope)),
  removed: before.filter((scope) => !after.includes(scope)),
});
