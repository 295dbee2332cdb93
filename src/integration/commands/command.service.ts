import { InvalidFields, lookUp, NotFound } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, parseId } from '#platform/ids.ts';
import type { CommandChoiceRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { ADMIN, accessTeam, accessTeamAsAdmin } from '../../teams/index.ts';
import {
  type ClaimedCommand,
  commandName,
  commandsOf,
  findApplication,
  isSuspended,
  lookOf,
  shortcutsOf,
  shownIcon,
} from '../applications/index.ts';
import { isOpenTo } from '../installations/index.ts';
import type { OfferedShortcut, TeamCommand } from './command.schema.ts';
import {
  type Claimant,
  deleteChoices,
  findChoice,
  findClaimant,
  listChoices,
  listClaimants,
  listRivals,
  saveChoice,
} from './command.store.ts';

/** Applications whose commands and shortcuts one answer lists, and rivals for one command. */
const MOST_CLAIMANTS = 100;

/** A command of one application in a team, and since when it has had it there. */
interface Claim extends ClaimedCommand {
  readonly by: Claimant;
  readonly claimedAt: number;
}

export type CommandsOfTeams = ReturnType<typeof commandsOfTeams>;

/**
 * Which application has which command in a team. Nothing is written when one is installed or changed: of those that
 * want a name, or one that looks like it, the one that has had it the longest has it, unless an admin decided otherwise.
 */
export function commandsOfTeams(deps: {
  db: Database;
  clock: Clock;
  baseUrl: () => string;
  record: Recorder;
}) {
  const { db, clock, baseUrl, record } = deps;

  /** @param guest an application that is not installed, as if it were from now on */
  async function claimsIn(reader: Reader, teamId: string, guest?: Claimant) {
    const installed = await listClaimants.all(reader, { teamId, limit: MOST_CLAIMANTS });
    const all = guest && !installed.some(({ id }) => id === guest.id) ? [...installed, guest] : installed;
    return claimsOf(all);
  }

  /** The commands in a team that look like a name. */
  async function rivalsFor(tx: Tx, teamId: string, look: string): Promise<readonly Claim[]> {
    const rows = await listRivals.all(tx, { teamId, look, limit: MOST_CLAIMANTS });
    return claimsOf(rows).get(look) ?? [];
  }

  /**
   * The commands of a team, by their names. Members see those that they can give; admins also those that others have.
   * @param guest an application that an admin is about to install
   * @throws NotFound
   */
  async function list(reader: Reader, userId: string, team: string, guest?: string): Promise<TeamCommand[]> {
    const { id: teamId, membership_type } = await accessTeam(reader, userId, team);
    const isAdmin = membership_type === ADMIN;
    const visitor = guest === undefined || !isAdmin ? undefined : await visiting(reader, teamId, guest);
    const claims = await claimsIn(reader, teamId, visitor);
    const choices = new Map((await listChoices.all(reader, { teamId })).map((row) => [row.look, row]));
    const shown = [...claims].flatMap(([look, rivals]) => {
      const holder = holderOf(rivals, choices.get(look));
      return rivals.flatMap((claim): TeamCommand[] => {
        const isHeld = claim === holder;
        if (!isAdmin && !(isHeld && claim.by.is_awake)) return [];
        const { name, description, hint } = claim;
        const taken = isHeld ? {} : { taken_by: applicationOf(holder.by) };
        return [{ name, description, hint, application: applicationOf(claim.by), ...taken }];
      });
    });
    return shown.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.taken_by ? 1 : -1));
  }

  /** @throws NotFound for an application that the team could not install */
  async function visiting(reader: Reader, teamId: string, id: string): Promise<Claimant> {
    const row = await lookUp(id, (known) => findApplication.first(reader, { id: known }));
    if (isSuspended(row) || !(await isOpenTo(reader, teamId, row))) throw new NotFound();
    return { ...row, installed_at: clock(), is_awake: 1 };
  }

  const applicationOf = ({ id, name, icon }: Claimant) => ({
    id,
    name,
    icon: shownIcon({ id, icon }, baseUrl()),
  });

  /** @throws NotFound */
  async function listShortcuts(userId: string, team: string): Promise<OfferedShortcut[]> {
    const { id: teamId } = await accessTeam(db, userId, team);
    const rows = await listClaimants.all(db, { teamId, limit: MOST_CLAIMANTS });
    const shown = rows
      .filter(({ is_awake }) => is_awake)
      .flatMap((row) => shortcutsOf(row).map((one) => ({ ...one, application: applicationOf(row) })));
    return shown.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The application that has exactly this command. A name that only looks like it is nobody's. */
  async function findCommand(
    tx: Tx,
    teamId: string,
    name: string,
  ): Promise<{ application: string } | undefined> {
    const look = lookOf(name);
    const rivals = await rivalsFor(tx, teamId, look);
    if (rivals.length === 0) return undefined;
    const holder = holderOf(rivals, await findChoice.first(tx, { teamId, look }));
    return holder.name === name ? { application: holder.by.id } : undefined;
  }

  async function hasShortcut(
    tx: Tx,
    of: { teamId: string; application: string; action_id: string; on: 'team' | 'message' },
  ): Promise<boolean> {
    const row = await findClaimant.first(tx, { teamId: of.teamId, id: of.application });
    return (
      row !== undefined &&
      shortcutsOf(row).some(({ action_id, on }) => action_id === of.action_id && on === of.on)
    );
  }

  /**
   * Gives a command to one of the applications that want it.
   * @throws NotFound @throws NotAllowed for members who are no admins
   * @throws InvalidFields for an application that does not have it
   */
  async function give(
    tx: Tx,
    userId: string,
    team: string,
    given: { name: string; application: string },
  ): Promise<void> {
    const { id: teamId } = await accessTeamAsAdmin(tx, userId, team);
    const name = commandName(given.name);
    const look = lookOf(name);
    const rivals = await rivalsFor(tx, teamId, look);
    if (!rivals.some((claim) => claim.name === name)) throw new NotFound();
    const application = parseId(given.application);
    if (application === undefined || !rivals.some(({ by }) => by.id === application))
      throw new InvalidFields({ field: 'application', message: 'has no such command in this team' });
    await saveChoice.run(tx, {
      team_id: teamId,
      look,
      application_id: application,
      chosen_at: clock(),
    });
    await record(tx, {
      action: 'application.command_given',
      target: ['application', application],
      teamId,
      detail: { command: name },
    });
  }

  /** The decisions of admins about an application end when it is uninstalled. */
  async function onInstallationChange(
    tx: Tx,
    of: { application_id: string; team_id: string; change: string },
  ): Promise<void> {
    if (of.change === 'removed')
      await deleteChoices.run(tx, { applicationId: of.application_id, teamId: of.team_id });
  }

  return { list, listShortcuts, findCommand, hasShortcut, give, onInstallationChange };
}

/** The commands of some applications, by their looks. */
const claimsOf = (rows: readonly Claimant[]): Map<string, Claim[]> =>
  Map.groupBy(
    rows.flatMap((by) =>
      commandsOf(by).map(
        (command): Claim => ({
          ...command,
          by,
          claimedAt: Math.max(command.since, Number(by.installed_at)),
        }),
      ),
    ),
    ({ look }) => look,
  );

/** An admin decides about the command as it is: an application that gives it up and takes it again waits in line. */
function holderOf(rivals: readonly Claim[], choice: CommandChoiceRow | undefined): Claim {
  const [first] = rivals;
  if (!first) throw new Error('a command without an application that has it');
  const chosen = rivals.find(
    ({ by, claimedAt }) => by.id === choice?.application_id && claimedAt <= choice.chosen_at,
  );
  const isEarlier = (a: Claim, b: Claim) =>
    a.claimedAt < b.claimedAt || (a.claimedAt === b.claimedAt && a.by.id < b.by.id);
  return chosen ?? rivals.reduce((held, claim) => (isEarlier(claim, held) ? claim : held));
}
