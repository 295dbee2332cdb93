import { type Fact, signOf } from './card.ts';
import { innerOf, isId, partsOf } from './parts.ts';
import {
  at,
  beginningOf,
  type Fields,
  fieldsOf,
  joined,
  lineOf,
  listOf,
  prose,
  textOf,
  valueText,
  wordsOf,
} from './payload.ts';
import { squeezed } from './squeezed.ts';

export interface Vital extends Fact {
  /** The way to it. */
  readonly path: string;
}

/** What readers of a message look for first. */
const VITAL =
  /(?:^|_)(?:conclusion|severity|environment|env|verdict|state|status|result|outcome|priority|level|urgency|impact|indicator|condition|health|phase|alert_type)(?:_value|_name)?$|^(?:service|host|alert|event|build|check|monitor|incident|job|sensor|trigger|ticket|deployment)(?:state|status|severity|priority)$/;
/** Where something runs, if that is its value. */
const STAGE = /(?:^|_)(?:target|context|stage|tier|cluster|cluster_name)$/;
const STAGES =
  /^(?:prod|production|live|staging|stage|preview|development|dev|test|testing|qa|uat|sandbox|canary)$/i;
/** Says no more than that it ended, beside what says how. */
const ENDED = /^(?:completed|complete|finished|finalized|done|ended|closed|created)$/i;
/** What a code is called beside it: `priorityLabel`, `statusMessage`. */
const WORDS = ['label', 'name', 'text', 'message', 'friendlyname', 'displayname', 'title', 'description'];
/** Parts that every payload has: what they say says nothing about what happened. */
const WRAPPER =
  /^(?:data|payload|attributes|fields|object|resource|item|details?|essentials|events?|eventdata|body|properties|content|embedded|sys|metricalert)$|webhook/;
/** What describes settings, or the call itself. */
const SETTINGS = /^(?:prefs|preferences|settings|config|configuration|permissions)$/;

/** What says more than a status beside it: a check that is completed has a conclusion. */
const STRONG = /(?:^|_)(?:conclusion|state|result|outcome)$/;

/** `alertState` and `alert-state` as `alert_state`. */
const plain = (name: string) =>
  name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll('-', '_')
    .toLowerCase();

/** Parts that are about people. */
const PEOPLE =
  'sender user owner author creator assignee assignees actor links _links customer recipient requester contact member'.split(
    ' ',
  );
/** Parts of GitHub’s and GitLab’s payloads that are about others than what happened. */
const AROUND =
  'repository repo organization installation enterprise project steps head_repository base head app hook workflow'.split(
    ' ',
  );
/** Of others they count where nothing else has a state. */
const ASIDE = new Set(['repository', 'repo', 'organization', 'installation']);

const MOST_LOOKED_AT = 5000;
const MOST_DEPTH = 6;
/** Of what is read before. */
const MOST_SAID = 2000;
const MOST_VITALS = 8;
const MOST_OF_NAME = 100;

const isStage = (name: string) => STAGE.test(plain(name.slice(-MOST_OF_NAME)));

/** Whether a branch can be merged is no state of what happened. */
export const isVital = (name: string): boolean =>
  VITAL.test(plain(name.slice(-100))) && !/^(?:mergeable_state|permissionLevel|log-level)$/.test(name);

/**
 * @param said what is read before: a word of it is not found again
 * @param main the part that it is about, by its name, of which there may be none; without it, each part may be that
 * @returns the states, severities and environments in a payload, each once
 */
export function vitalsOf(payload: Fields, said: string, main?: string): Vital[] {
  const found: Vital[] = [];
  const words = [wordsOf(beginningOf(said, MOST_SAID))];
  const isSaid = (value: string) => words.some((one) => one.includes(wordsOf(value)));
  const aside = new Set(main === undefined ? PEOPLE : [...PEOPLE, ...AROUND]);
  const later: (readonly [fields: Fields, parents: readonly string[]])[] = [];
  let looked = 0;
  const look = (fields: Fields, parents: readonly string[]): void => {
    const entries = Object.entries(fields).slice(0, MOST_LOOKED_AT);
    for (const { name, value, path } of statesIn(entries)) {
      // A sentence has its signs.
      const text = /\s/.test(value) ? value : prose(value);
      if (found.length >= MOST_VITALS || isSaid(text)) continue;
      found.push({ name: calledAs(parents, name), value: text, path: [...parents, path].join('.') });
      words.push(wordsOf(text));
    }
    for (const [name, value] of entries) {
      if (++looked > MOST_LOOKED_AT || parents.length >= MOST_DEPTH) return;
      const [way, inner] = main === undefined ? innerOf(value) : ['', fieldsOf(value)];
      const isElsewhere = aside.has(name) || SETTINGS.test(name) || (name === main && parents.length === 0);
      if (isElsewhere || Object.keys(inner).length === 0) continue;
      const next = [...parents, `${name}${way}`];
      if (main === undefined && ASIDE.has(name)) later.push([inner, next]);
      else look(inner, next);
    }
  };
  if (main !== undefined) look(fieldsOf(payload[main]), []);
  look(payload, []);
  if (found.length === 0) for (const [fields, parents] of later) look(fields, parents);
  if (main === undefined) {
    found.push(...verdictsOf(payload));
    if (found.length === 0) found.push(...statesOfLists(payload));
    if (!found.some(({ value }) => signOf(value) !== '')) found.push(...successOf(payload));
  }
  // Beside words, a code says nothing to a reader.
  return found.some((one) => !isCode(one)) ? found.filter((one) => !isCode(one)) : found;
}

/** Votes of people and programs, as `{type: 'Code-Review', value: -1}`. */
const VOTES = /^(?:approvals?|votes?|verdicts?|scores?)$/i;
const MOST_VOTES = 4;

function verdictsOf(payload: Fields): Vital[] {
  return Object.entries(payload)
    .filter(([name]) => VOTES.test(name))
    .flatMap(([name, votes]) =>
      listOf(votes)
        .slice(0, MOST_VOTES)
        .map(fieldsOf)
        .flatMap((vote, at) => {
          const label = lineOf(vote.type) || lineOf(vote.name) || lineOf(vote.label);
          const value = textOf(vote.value);
          const isVote = /^[+-]?\w[\w ]{0,30}$/.test(value) && label !== '' && label.length <= 60;
          return isVote ? [{ name: label, value, path: `${name}.${at + 1}.value` }] : [];
        }),
    );
}

/** Of several that are sent together: what they have in common, or differ in little. They are shown one by one besides. */
const MOST_OF_LIST = 50;
const MOST_DIFFERENT = 3;

function statesOfLists(payload: Fields): Vital[] {
  for (const [list, value] of Object.entries(payload)) {
    const items = listOf(value).slice(0, MOST_OF_LIST).map(fieldsOf);
    const states = items.flatMap((item) => statesIn(Object.entries(item).slice(0, MOST_OF_NAME)));
    const common = [...new Set(states.map(({ name }) => name))].flatMap((name) => {
      const values = [...new Set(states.flatMap((one) => (one.name === name ? [one.value] : [])))];
      return values.length <= MOST_DIFFERENT
        ? [{ name: calledAs([], name), value: values.map(prose).join(', '), path: `${list}.*.${name}` }]
        : [];
    });
    if (common.length > 0) return common.slice(0, MOST_VITALS);
  }
  return [];
}

/** Whether it went well, where no state says it. */
const SUCCESS = /^(?:is_?)?(?:success|successful|succeeded|passed|healthy|approved)$/i;
const MOST_PARTS = 500;

export const isSuccess = (name: string): boolean => SUCCESS.test(name.replace(' ', '_'));

function successOf(payload: Fields): Vital[] {
  const found = partsOf(payload)
    .slice(0, MOST_PARTS)
    .find(
      ({ key, value, isPersonal }) =>
        SUCCESS.test(key) && /^(?:true|false)$/.test(String(value)) && !isPersonal,
    );
  return found ? [{ name: prose(plain(found.key)), value: valueText(found.value), path: found.path }] : [];
}

const isCode = ({ name, value }: Vital) =>
  /^\d{1,2}$/.test(value) && /(?:state|status|level|result|type)$/.test(name);

interface State {
  readonly name: string;
  readonly value: string;
  /** The way to it within its object. */
  readonly path: string;
}

/** The states of one object, without codes beside their words, and without what a stronger one says. */
function statesIn(entries: readonly (readonly [name: string, value: unknown])[]): State[] {
  const beside = new Map(entries.map((entry) => [squeezed(entry[0].slice(0, MOST_OF_NAME)), entry]));
  const own = entries
    // How the call itself fares.
    .filter(
      ([name]) =>
        name !== 'webhook_status' && !(name === 'delivery_status' && beside.has('deliveryattempts')),
    )
    .map(([name, value]) => stateOf(name, value, beside))
    .filter((one) => one !== undefined)
    .sort((one, other) => one.name.length - other.name.length);
  const isStatus = ({ name }: State) => plain(name).endsWith('status');
  const isNews = ({ value }: State) => !ENDED.test(value) && signOf(value) !== '';
  const isStrong = own.some(({ name, value }) => STRONG.test(plain(name)) && !ENDED.test(value));
  const isTold = own.some((one) => isStatus(one) && isNews(one));
  return own.filter((one) =>
    isStatus(one)
      ? !isStrong || isNews(one)
      : !(isTold && ENDED.test(one.value) && STRONG.test(plain(one.name)) && one.value !== 'closed'),
  );
}

function stateOf(
  name: string,
  value: unknown,
  beside: ReadonlyMap<string, readonly [name: string, value: unknown]>,
): State | undefined {
  if (isRegion(name, beside)) return undefined;
  if (!isVital(name) && !(isStage(name) && STAGES.test(textOf(value)))) return undefined;
  const isNumber = (one: unknown) => /^\d+$/.test(textOf(one));
  const word = isNumber(value)
    ? WORDS.map((end) => beside.get(`${squeezed(name.slice(0, MOST_OF_NAME))}${end}`)).find(
        (one) => isWord(one?.[1]) && !isNumber(one?.[1]),
      )
    : undefined;
  if (word) return { name: word[0], value: textOf(word[1]), path: word[0] };
  const given = /^env(?:ironment)?$/i.test(name) ? environmentOf(value) : undefined;
  if (given) return { name, ...given, path: `${name}.${given.path}` };
  const key = NAMED.find((one) => lineOf(fieldsOf(value)[one]) !== '');
  const text = key === undefined ? value : lineOf(fieldsOf(value)[key]);
  return isWord(text) ? { name, value: textOf(text), path: joined([name, key], '.') } : undefined;
}

/** An environment that has no name is known by its id, if that is a word: `{sys: {id: 'master'}}`. */
function environmentOf(value: unknown): { value: string; path: string } | undefined {
  const fields = fieldsOf(value);
  const only = Object.keys(fields).length === 1 ? (Object.keys(fields)[0] ?? '') : '';
  const ways = [['slug'], ['key'], ['id'], [only, 'id']];
  if (NAMED.some((one) => lineOf(fields[one]) !== '')) return undefined;
  const way = ways.find((one) => /^[a-z][a-z _-]{1,40}$/i.test(lineOf(at(fields, ...one))));
  return way && { value: lineOf(at(fields, ...way)), path: way.join('.') };
}

/** A part of a country: the state of an address. */
function isRegion(name: string, beside: ReadonlyMap<string, unknown>): boolean {
  const [, whose] = /^(.*)state$/.exec(squeezed(name.slice(0, MOST_OF_NAME))) ?? [];
  return whose !== undefined && ADDRESS.some((part) => beside.has(`${whose}${part}`));
}

const ADDRESS = ['country', 'city', 'zip', 'zipcode', 'postalcode', 'postcode', 'countrycode'];

/** A state with the part that has it, unless every payload has such a part. */
function calledAs(parents: readonly string[], name: string): string {
  const parent = (parents.at(-1) ?? '').replace(/\.1$/, '');
  const isPlain =
    !parents.at(-1)?.endsWith('.1') &&
    parent.length <= 40 &&
    !/[./\d]/.test(parent) &&
    !WRAPPER.test(squeezed(parent));
  const own = prose(plain(name))
    .replace(/ (?:friendly name|display name|label|name)$/, '')
    .replace(
      /^(service|host|alert|event|build|check|monitor|incident|job|sensor|trigger|ticket)(?=(?:state|status|severity|priority)$)/,
      '$1 ',
    );
  return joined([isPlain && prose(plain(parent)), own], ' ');
}

/** `{name: "In Progress"}` */
const NAMED = ['displayName', 'name', 'summary'];

const isWord = (value: unknown) =>
  (typeof value === 'number' && Number.isInteger(value) && value < 1_000_000) ||
  (typeof value === 'string' &&
    /^\w[\w ./:-]{0,60}$/.test(value) &&
    !/\/[^/]*\//.test(value) &&
    !isId(value));
