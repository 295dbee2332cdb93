import { createHash } from 'node:crypto';

/** A message to more people than this is no conversation of theirs. */
export const MOST_PEOPLE = 50;

/**
 * The conversation of a set of people: a hash of their ids as a UUIDv8 (RFC 9562 §5.8), so that it is found without a
 * look at the database.
 * @param people the author and the addressees, in any order
 */
export const conversationOf = (people: Iterable<string>): string =>
  hashOf([...new Set(people)].sort().join());

/** The two sides of a conversation of a person with an application that a team has installed. */
export interface WithApplication {
  readonly teamId: string;
  readonly applicationId: string;
}

/** The same for a person and an application: in each team they have another one. */
export const conversationWith = ({ teamId, applicationId }: WithApplication, userId: string): string =>
  hashOf(`application ${teamId} ${applicationId} ${userId}`);

function hashOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
