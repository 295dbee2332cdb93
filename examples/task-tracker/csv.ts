import type { Task } from './storage.ts';

/** The tasks as comma-separated values (RFC 4180). @param linked the objects that messages can link to */
export function csvOf(tasks: readonly Task[], linked: ReadonlySet<string>): string {
  const rows = tasks.map(({ title, done, object_id: object }) => [
    title,
    done ? 'done' : 'open',
    object !== null && linked.has(object) ? object : '',
  ]);
  return [['title', 'state', 'object'], ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

/** A spreadsheet takes a value that begins with one of these signs for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const quoted = (value: string) => `"${value.replace(FORMULA, "'$&").replaceAll('"', '""')}"`;
