import { ApiError, InvalidFields, NotFound } from '#api';
import type { Database } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import { findUser } from '../people/users/index.ts';
import { print, printable } from '../process/printable.ts';
import { Refusal } from '../process/refusal.ts';
import { ADMIN, findWorkingAdmin, listTeams } from '../teams/index.ts';
import { mustFindAccount } from './account.ts';
import { writeAsOperator } from './as-operator.ts';
import { refuseMalformed } from './mail.ts';
import { withServices } from './with-services.ts';

/** As many as the route takes. */
const MOST = 100;
const AT_ONCE = 200;

type Team = Awaited<ReturnType<typeof listTeams>>[number];

interface InviteOptions {
  /** The admin of the team in whose name the people are invited. */
  as?: string;
  admin?: boolean;
}

/** Invites people to a team in the name of one of its admins, within the same limits, and prints the links. */
export async function invite(teamText: string, given: string[], options: InviteOptions): Promise<void> {
  const emails = given.map((email) => email.trim());
  for (const email of emails) refuseMalformed(email);
  if (emails.length > MOST) throw new Refusal(`Invite at most ${MOST} people at once.`);
  await withServices(async ({ invitations }, db) => {
    const team = await mustFindTeam(db, teamText);
    const inviter = await inviterOf(db, team, options.as);
    const fields = { emails, ...(options.admin === true && { membership_type: ADMIN }) };
    const made = await writeAsOperator(db, (tx) =>
      invitations.invite(tx, inviter.id, team.id, fields, { leavesAdmins: false }),
    ).catch((error: unknown) => {
      if (error instanceof NotFound)
        throw new Refusal(printable(`${inviter.email} is no admin of ${team.name}: name one with --as.`));
      throw error instanceof ApiError ? new Refusal(`${subjectOf(error, emails)}: ${error.message}.`) : error;
    });
    // Not among the links, so that these can be piped.
    process.stderr.write(printable(`Invited to ${team.name} in the name of ${inviter.email}.`).concat('\n'));
    for (const { email, url, mailed } of made)
      print(
        `${printable(email)}  ${url}  ${mailed === true ? 'mailed' : 'not mailed: send the link yourself'}`,
      );
  });
}

/** Which of the addresses an error is about. */
function subjectOf(error: ApiError, emails: readonly string[]): string {
  const field = error instanceof InvalidFields ? error.problems[0]?.field : undefined;
  return emails[Number(/^emails\.(\d+)$/.exec(field ?? '')?.[1])] ?? 'Nobody was invited';
}

/** @throws Refusal unless one team that is not deleted has the id or the name */
async function mustFindTeam(db: Database, text: string): Promise<Team> {
  const id = parseId(text);
  const found: Team[] = [];
  let before: string | undefined;
  for (;;) {
    const teams = await listTeams(db, { active: true, before, limit: AT_ONCE });
    found.push(...teams.filter((team) => (id === undefined ? team.name === text : team.id === id)));
    before = teams.at(-1)?.id;
    if (teams.length < AT_ONCE) break;
  }
  const [team, other] = found;
  if (!team) throw new Refusal(`There is no team with the name or the id "${printable(text)}".`);
  if (other) {
    const ids = found.map((one) => one.id).join(', ');
    throw new Refusal(`Several teams have the name "${printable(text)}": give the id of one, ${ids}.`);
  }
  return team;
}

async function inviterOf(db: Database, team: Team, as: string | undefined) {
  if (as !== undefined) {
    const named = await mustFindAccount(db, as);
    if (named.active === 1) return named;
    throw new Refusal(
      printable(
        `${named.email} is deactivated, and an invitation of theirs would not work: name another admin.`,
      ),
    );
  }
  const admin = await findWorkingAdmin.first(db, { teamId: team.id });
  const user = admin && (await findUser.first(db, { id: admin.user_id }));
  if (user) return user;
  throw new Refusal(
    printable(
      `${team.name} has no admin who can sign in: an administrator of the server makes a member one first.`,
    ),
  );
}
