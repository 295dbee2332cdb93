import {
  callerOf,
  DIRECT_ITSELF,
  InvalidFields,
  NotAllowed,
  ScopeMissing,
  UnreachableAddressee,
  type UserPrincipal,
} from '#api';
import type { Reader, Tx } from '#platform/db/index.ts';
import { conversationWith, type WithApplication } from '../view/conversation-id.ts';
import type { SeenMessage } from '../view/message.columns.ts';
import { findBlock, findMemberWithAccount } from './application.store.ts';
import { findConversation } from './conversation.store.ts';
import { peopleOf } from './conversations.ts';

/** Why nothing can be written in a conversation with an application. */
export type DirectObstacle = 'not_installed' | 'suspended' | 'not_granted' | 'blocked' | 'left_team';

/** Implemented by the domain that installs applications. */
export interface InstalledApplications {
  /** Why an application has no direct conversations in a team. */
  findObstacle(
    reader: Reader,
    applicationId: string,
    teamId: string,
  ): Promise<Exclude<DirectObstacle, 'blocked' | 'left_team'> | undefined>;
  /** The application as itself in a team, whose installation is locked. @throws NotAllowed @throws ScopeMissing */
  actAs(tx: Tx, applicationId: string, teamId: string): Promise<UserPrincipal>;
}

export type DirectApplications = ReturnType<typeof directApplications>;

/** To whom a message goes, as far as that matters here. */
interface Receivers {
  readonly application?: WithApplication;
  readonly userIds: readonly string[];
  readonly emails: readonly string[];
}

/** The person and the application of a conversation. */
interface Sides extends WithApplication {
  readonly userId: string;
}

/** Rules for messages between people and applications. */
export function directApplications(deps: {
  installed: InstalledApplications;
  /** @throws TooManyRequests for an application that begins conversations with many people */
  countBegun: (applicationId: string) => void;
}) {
  const { installed, countBegun } = deps;

  /** Why a person and an application cannot write to each other in a team, as the person is told. */
  async function findObstacle(reader: Reader, sides: Sides): Promise<DirectObstacle | undefined> {
    const { userId, applicationId, teamId } = sides;
    if (!(await findMemberWithAccount.first(reader, { userId, teamId }))) return 'left_team';
    if (await findBlock.first(reader, { userId, applicationId })) return 'blocked';
    return installed.findObstacle(reader, applicationId, teamId);
  }

  /**
   * @returns the author of what the application writes
   * @throws NotAllowed @throws UnreachableAddressee for a person who is not in the team, as for an unknown team
   */
  async function expectOpen(tx: Tx, sides: Sides, isItself: boolean): Promise<string> {
    const obstacle = await findObstacle(tx, sides);
    if (obstacle === 'left_team') throw new UnreachableAddressee(isItself ? sides.userId : sides.teamId);
    if (obstacle !== undefined) throw refusalOf(obstacle, isItself);
    return (await installed.actAs(tx, sides.applicationId, sides.teamId)).userId;
  }

  /** The place of a message that opens a thread of the conversation. @throws as `expectOpen` does @throws InvalidFields */
  async function placeOf(tx: Tx, author: UserPrincipal, to: Receivers) {
    const isItself = author.itself !== undefined;
    if (isItself && !author.grant?.scopes.includes(DIRECT_ITSELF)) throw new ScopeMissing(DIRECT_ITSELF);
    const sides = isItself ? sidesOfApplication(author, to) : sidesOfPerson(author, to);
    const authorId = await expectOpen(tx, sides, isItself);
    const { userId, teamId, applicationId } = sides;
    const direct = { teamId, applicationId };
    const id = conversationWith(direct, userId);
    if (isItself && !(await findConversation.first(tx, { userId, id }))) countBegun(applicationId);
    return { team_id: null, conversation_id: id, addressees: [isItself ? userId : authorId], direct };
  }

  /** Where a message is in such a conversation: whether anything can be added to it. @throws as `expectOpen` does */
  async function refuseClosed(
    tx: Tx,
    author: UserPrincipal,
    message: Pick<
      SeenMessage,
      'root_author_id' | 'addressed_users_json' | 'direct_team_id' | 'direct_application_id'
    >,
  ): Promise<void> {
    const { direct_team_id: teamId, direct_application_id: applicationId } = message;
    if (teamId === null || applicationId === null) return;
    const isItself = author.itself !== undefined;
    // A reply has the addressees of the message that it answers: with its own author they may be the application alone.
    const people = peopleOf({ ...message, author_id: message.root_author_id });
    const userId = isItself ? people.find((id) => id !== author.userId) : author.userId;
    if (userId === undefined) throw new Error('a conversation with an application has lost its person');
    await expectOpen(tx, { userId, teamId, applicationId }, isItself);
  }

  return { findObstacle, expectOpen, placeOf, refuseClosed };
}

/** Whether a post goes to an application, or from one to a person. */
export const isWithApplication = (author: UserPrincipal, to: Receivers): boolean =>
  to.application !== undefined || (author.itself !== undefined && author.grant !== undefined);

function sidesOfApplication({ itself, grant }: UserPrincipal, to: Receivers): Sides {
  if (to.application !== undefined || !itself || !grant) throw new ScopeMissing('person');
  const [userId, other] = to.userIds;
  if (userId === undefined || other !== undefined || to.emails.length > 0) {
    const message = 'must be one id: an application writes to each person alone';
    throw new InvalidFields({ field: 'addressed_users', message });
  }
  return { userId, teamId: itself.teamId, applicationId: grant.applicationId };
}

/** @throws ScopeMissing for a token that reaches no direct messages */
function sidesOfPerson(author: UserPrincipal, { application }: Receivers): Sides {
  if (!application) throw new Error('a message of a person to an application has no application');
  const { userId, grant } = author;
  if (grant && !grant.scopes.includes('direct:write')) throw new ScopeMissing('direct:write');
  const { onlyTeam = application.teamId } = callerOf(author);
  if (onlyTeam !== application.teamId) throw new UnreachableAddressee(application.teamId);
  return { userId, ...application };
}

function refusalOf(obstacle: Exclude<DirectObstacle, 'left_team'>, isItself: boolean): NotAllowed {
  if (obstacle === 'blocked')
    return new NotAllowed(
      'application_blocked',
      isItself ? 'The person has blocked the application' : 'You have blocked the application',
    );
  if (obstacle === 'not_installed')
    return new NotAllowed('app_not_installed', 'The application is not installed on this team');
  if (obstacle === 'suspended')
    return new NotAllowed('application_suspended', 'The application sleeps, and may do nothing in this team');
  return new NotAllowed('direct_not_granted', 'The team has not granted the application direct messages');
}
