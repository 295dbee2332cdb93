import { InvalidFields, LISTS_ITSELF, NotFound, type Viewer } from '#api';
import { parseId } from '#platform/ids.ts';
import { conversationOf, conversationWith, MOST_PEOPLE, type WithApplication } from './conversation-id.ts';

/** The people of a conversation, the reader among them. It need not exist. */
export interface People {
  readonly id: string;
  readonly people: readonly string[];
  /** Of one with an application. */
  readonly application?: WithApplication;
}

/** How a request names a conversation. */
export interface NamedConversation {
  readonly with?: string | undefined;
  readonly application?: string | undefined;
  readonly team?: string | undefined;
}

/**
 * The conversation that a request names: with people, with an application in a team, or of an application with a person.
 * @returns undefined where it names none @throws InvalidFields @throws NotFound
 */
export function readConversation({ userId, reach }: Viewer, named: NamedConversation): People | undefined {
  if (reach?.asTeam) return readPerson(reach, named);
  if (named.application === undefined)
    return named.with === undefined ? undefined : readWith(named.with, userId);
  if (named.with !== undefined) throw wrong('with', 'goes without application');
  const application = {
    applicationId: readId('application', named.application),
    teamId: readId('team', named.team),
  };
  return { id: conversationWith(application, userId), people: [userId], application };
}

/** An application as itself is in conversations with one person each. */
function readPerson(
  { applicationId, withPeople }: NonNullable<Viewer['reach']>,
  named: NamedConversation,
): People {
  if (withPeople === undefined || applicationId === undefined) throw new NotFound();
  if (named.application !== undefined && parseId(named.application) !== applicationId) throw new NotFound();
  if (named.team !== undefined && parseId(named.team) !== withPeople) throw new NotFound();
  if (named.with === undefined) throw wrong('with', `is required. ${LISTS_ITSELF}`);
  const userId = readId('with', named.with);
  const application = { applicationId, teamId: withPeople };
  return { id: conversationWith(application, userId), people: [userId], application };
}

function readId(field: string, given: string | undefined): string {
  const id = parseId(given);
  if (!id) throw wrong(field, 'must be one id');
  return id;
}

const wrong = (field: string, message: string) => new InvalidFields({ field, message });

/** @param text ids, separated by commas @throws InvalidFields */
function readWith(text: string, userId: string): People {
  const given = text.split(',').map((id) => parseId(id.trim()));
  const known = given.filter((id) => id !== undefined);
  if (known.length < given.length) throw wrong('with', 'must be ids of users, separated by commas');
  const people = new Set([userId, ...known]);
  if (people.size > MOST_PEOPLE + 1) throw wrong('with', `must be at most ${MOST_PEOPLE} people`);
  return { id: conversationOf(people), people: [...people] };
}
