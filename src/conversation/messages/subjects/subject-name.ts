import { createHash } from 'node:crypto';
import { InvalidFields } from '#api';
import { fold } from '#platform/text/fold.ts';
import { cleanLine } from '#platform/text/index.ts';
import { MAX_SUBJECT } from './subject.schema.ts';

/** Folding makes a text longer: one sign may stand for a sentence. An index of PostgreSQL holds less than that. */
const MOST_KEY_BYTES = 1000;

/** By which a team finds the subject of a name again. */
export function subjectKey(name: string): string {
  const key = fold(name) || name;
  if (Buffer.byteLength(key) <= MOST_KEY_BYTES) return key;
  return createHash('sha256').update(key).digest('hex');
}

/**
 * @returns the name of a subject as it is kept; null for none
 * @throws InvalidFields for what is no text, and for a longer one
 */
export function readSubject(given: unknown): string | null {
  if (given === undefined || given === null) return null;
  const message = `must be a text of at most ${MAX_SUBJECT} characters, or null`;
  if (typeof given !== 'string' || given.includes('\0') || isLonger(given))
    throw new InvalidFields({ field: 'subject', message });
  return cleanLine(given) || null;
}

/** White space at the ends does not count; what is far longer is not looked at. */
function isLonger(given: string): boolean {
  const text = given.length > 4 * MAX_SUBJECT ? given : given.trim();
  return text.length > MAX_SUBJECT && Array.from(text).length > MAX_SUBJECT;
}
