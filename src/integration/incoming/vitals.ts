import type { Fact } from './card.ts';
import { beginningOf, type Fields, fieldsOf, lineOf, prose } from './payload.ts';

export interface Vital extends Fact {
  /** The way to it. */
  readonly path: string;
}

/** What readers of a message look for first. */
const VITAL =
  /(?:^|_)(?:conclusion|severity|environment|env|verdict|state|status|result|outcome|priority|level|urgency|impact|indicator|condition|health|phase|alert_type)(?:_value|_name)?$/;
/** What says more than a status beside it: a check that is completed has a conclusion. */
const STRONG = /(?:^|_)(?:conclusion|state|result|outcome)$/;

/** `alertState` and `alert-state` as `alert_state`. */
const plain = (name: string) =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll('-', '_')
    .toLowerCase();

/** Parts that are about people. */
const PEOPLE = 'sender user owner author creator assignee assignees actor links _links'.split(' ');
/** Parts of GitHub’s and GitLab’s payloads that are about others than what happened. */
const AROUND =
  'repository repo organization installation enterprise project steps head_repository base head app hook workflow'.split(
    ' ',
  );

const MOST_LOOKED_AT = 5000;
const MOST_DEPTH = 6;
/** Of what is read before. */
const MOST_SAID = 2000;
const MOST_VITALS = 8;

/** Whether a branch can be merged is no state of what happened. */
export const isVital = (name: string): boolean => VITAL.test(plain(name)) && name !== 'mergeable_state';

/**
 * @param said what is read before: a word of it is not found again
 * @param main the part that it is about, by its name, of which there may be none; without it, each part may be that
 * @returns the states, severities and environments in a payload, each once
 */
export function vitalsOf(payload: Fields, said: string, main?: string): Vital[] {
  const found: Vital[] = [];
  const words = new Set<string>();
  const add = (text: string) =>
    words.add(
      ` ${text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()} `,
    );
  add(beginningOf(said, MOST_SAID));
  const isSaid = (value: string) => {
    const word = ` ${value
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `;
    return [...words].some((one) => one.includes(word));
  };
  const aside = new Set(main === undefined ? PEOPLE : [...PEOPLE, ...AROUND]);
  let looked = 0;
  const look = (fields: Fields, parents: readonly string[]): void => {
    const entries = Object.entries(fields).slice(0, MOST_LOOKED_AT);
    const own = entries
      .map(([name, value]) => [name, namedOf(value)] as const)
      .filter(([name, value]) => isVital(name) && isWord(value))
      .sort(([one], [other]) => one.length - other.length);
    const isStrong = own.some(([name]) => STRONG.test(plain(name)));
    for (const [name, value] of own) {
      const text = prose(String(value));
      if (found.length >= MOST_VITALS || isSaid(text) || (isStrong && plain(name).endsWith('status')))
        continue;
      found.push({
        name: prose(plain([...parents.slice(-1), name].join(' '))),
        value: text,
        path: [...parents, name].join('.'),
      });
      add(text);
    }
    for (const [name, value] of entries) {
      if (++looked > MOST_LOOKED_AT || parents.length >= MOST_DEPTH) return;
      const inner = fieldsOf(value);
      const isElsewhere = aside.has(name) || (name === main && parents.length === 0);
      if (!isElsewhere && Object.keys(inner).length > 0) look(inner, [...parents, name]);
    }
  };
  if (main !== undefined) look(fieldsOf(payload[main]), []);
  look(payload, []);
  return found;
}

/** `{name: "In Progress"}` */
const namedOf = (value: unknown) =>
  typeof value === 'object' ? lineOf(fieldsOf(value).name) || lineOf(fieldsOf(value).displayName) : value;

const isWord = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^\w[\w ./:-]{0,60}$/.test(value));
