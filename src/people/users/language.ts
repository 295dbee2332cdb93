import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { UserRow } from '#schema';
import { type Language, languages } from './user.schema.ts';

type Stored = Pick<UserRow, 'prefs_json'>;

/** The language that a user has chosen. It is stored with the preferences. */
export function chosenLanguage({ prefs_json }: Stored): Language | undefined {
  const { language } = JSON.parse(prefs_json) as { language?: unknown };
  return languages.find((known) => known === language);
}

/** The language of a user's mails: English until they choose. */
export const languageOf = (row: Stored): Language => chosenLanguage(row) ?? 'en';

/** The language that a browser likes best among ours (RFC 9110 §12.5.4); undefined for one that likes none of them. */
export function languageAsked(headers: FastifyRequest['headers']): Language | undefined {
  if (headers['accept-language'] === undefined) return undefined;
  const [best] = new Negotiator({ headers }).languages([...languages]);
  return languages.find((known) => known === best);
}

export const directionOf = (language: string): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** A name of another direction, kept from moving the words around it (UAX #9, first strong isolate). */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
