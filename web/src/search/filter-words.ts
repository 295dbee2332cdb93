import { fold } from '#platform/text/fold.ts';
import { hasWords, isCalled } from '../api/matching.ts';
import { connectionsQuery, membershipsQuery, meQuery, queryClient } from '../api/queries.ts';
import { wallTimeOf } from '../members/later/typed-time.ts';
import { HAS, type Search } from './queries.ts';

/** As they are typed elsewhere: `from:priya`, `in:"Night shift"`. */
const FILTER_WORD = /(?<=^|\s)(from|in|has|before|after|on):(?:["“„]([^"“”]+)["”“]|(\S+))/giu;

/** @returns the words of a search that look like filters, as they are written */
export const filterWordsIn = (q = ''): string[] => q.match(FILTER_WORD) ?? [];

/** Reads a word that looks like a filter. @returns undefined where it fits none, or several */
export type Reader = (kind: string, value: string) => Promise<Search | undefined> | Search | undefined;

/** @returns the search with filters instead of the words that stand for one; the same object where none does */
export async function withFilters(search: Search, read: Reader = readFilter): Promise<Search> {
  let found: Search = search;
  let rest = search.q ?? '';
  for (const [written, kind = '', quoted, plain] of rest.matchAll(FILTER_WORD)) {
    const filter = await read(kind.toLowerCase(), quoted ?? plain ?? '');
    if (!filter) continue;
    found = { ...found, ...filter };
    rest = rest.replace(written, '');
  }
  return found === search ? search : { ...found, q: rest.replaceAll(/\s+/g, ' ').trim() };
}

const readFilter: Reader = async (kind, value) => {
  const name = value.replace(/^[@#]/, '');
  switch (kind) {
    case 'from':
      return person(name, (author) => ({ author }));
    case 'in':
      return value.startsWith('@')
        ? person(name, (id) => ({ with: id, team: undefined, subject: undefined }))
        : team(name);
    case 'has': {
      const has = HAS.find((one) => one === value.toLowerCase().replace(/s$/, ''));
      return has && { has };
    }
    default:
      return readDays(kind, value);
  }
};

/** @returns the only one that fits, or the only one that has just this name */
function only<One>(fitting: readonly One[], namesOf: (one: One) => string[], name: string): One | undefined {
  if (fitting.length <= 1) return fitting[0];
  const exact = fitting.filter((one) => namesOf(one).some((other) => fold(other) === fold(name)));
  return exact.length === 1 ? exact[0] : undefined;
}

async function person(name: string, filter: (id: string) => Search): Promise<Search | undefined> {
  const me = await queryClient.ensureQueryData(meQuery);
  if (me && name.toLowerCase() === 'me') return filter(me.id);
  const others = await queryClient.fetchQuery(connectionsQuery(name)).catch(() => []);
  const fitting = [...(me && isCalled(me, name) ? [me] : []), ...others.filter(({ id }) => id !== me?.id)];
  const found = only(
    fitting,
    (one) => [one.username, one.first_name, `${one.first_name} ${one.last_name}`],
    name,
  );
  return found && filter(found.id);
}

async function team(name: string): Promise<Search | undefined> {
  const memberships = await queryClient.ensureQueryData(membershipsQuery).catch(() => []);
  const teams = memberships.map((one) => one.team).filter((one) => hasWords(one.name, name));
  const found = only(teams, (one) => [one.name], name);
  return found && { team: found.id, subject: undefined, with: undefined };
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const NAMED_DAYS: Readonly<Record<string, number>> = { today: 0, yesterday: -1 };

/** `before:` and `after:` leave out their day, as they do elsewhere. */
export function readDays(kind: string, value: string, now = new Date()): Search | undefined {
  const named = NAMED_DAYS[value.toLowerCase()];
  const start = DAY.test(value) ? new Date(`${value}T12:00:00`) : named === undefined ? undefined : now;
  if (!start || Number.isNaN(start.getTime())) return undefined;
  const day = (later: number) => {
    const at = new Date(start);
    at.setDate(at.getDate() + (named ?? 0) + later);
    return wallTimeOf(at).slice(0, 10);
  };
  // The 31st of February would be a day in March.
  if (named === undefined && day(0) !== value) return undefined;
  if (kind === 'before') return { to: day(-1) };
  return kind === 'after' ? { from: day(1) } : { from: day(0), to: day(0) };
}
