import { type RawBuilder, sql } from 'kysely';
import { foldedWords } from '#platform/text/fold.ts';

interface Named {
  readonly first_name: string;
  readonly last_name: string;
  readonly username: string;
}

/** The words of a person's names, folded as the words of messages are, each behind a blank. */
export const searchKey = ({ first_name, last_name, username }: Named): string =>
  [first_name, last_name, username]
    .flatMap(foldedWords)
    .map((word) => ` ${word}`)
    .join('');

/** First and last name in lower case, by which people are sorted, and in which any part is found. */
export function nameKey(user: { first_name: string; last_name: string }): string {
  return `${user.first_name} ${user.last_name}`.toLowerCase();
}

/** A pattern for text that stands anywhere. */
export const anywhere = (text: string) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;

/**
 * A condition on `users`: the text stands anywhere in the full name, or each of its words begins one of the words of the
 * person's names, in any order.
 */
export function namedLike(text: string): RawBuilder<boolean> {
  const words = foldedWords(text).map((word) => sql`users.search_key LIKE ${`% ${word}%`}`);
  const byWords = words.length === 0 ? sql`` : sql` OR (${sql.join(words, sql` AND `)})`;
  return sql<boolean>`(users.name_key LIKE ${anywhere(text)} ESCAPE '\\'${byWords})`;
}
