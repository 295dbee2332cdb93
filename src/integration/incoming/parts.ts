import { type Fields, fieldsOf, listOf, textOf } from './payload.ts';
import { isSecretName, isSecretPair } from './secrets.ts';
import { squeezed } from './squeezed.ts';

/** A value of a payload, and where it lies. */
export interface Part {
  readonly path: string;
  /** In lower case and without signs, so that `alert_name` is `alertName`. */
  readonly name: string;
  readonly key: string;
  readonly value: unknown;
  /** What it lies in. */
  readonly beside: Fields;
  readonly depth: number;
  /** Whether it is about a person. */
  readonly isPersonal: boolean;
  /** Whether it is about what it happened in, or about the call itself. */
  readonly isAround: boolean;
  /** Whether it is about the only one of a list. */
  readonly isInList: boolean;
  /** Whether it describes a state or a kind, as the text beside the name of a severity. */
  readonly isOfState: boolean;
}

const LOOKED_AT = 2000;
const DEPTH = 6;
/** What lies in a longer one is not looked for: each way would be as long. */
const MOST_OF_KEY = 200;

const PERSONAL =
  /^(?:actor|agent|user|sender|author|authors|owner|creator|assignees?|reporter|requester|customer|committer|operator|members?|person|contacts?|recipient|pusher|reviewers?|participants|envelope|signature)$|(?:created|updated|changed|closed|merged|triggered|requested|resolved|acknowledged|modified|started)by$|requestedfor$|(?:author|creator|user|customer)$/;
const AROUND =
  /^(?:repository|repo|project|page|meta|organization|org|account|teams?|group|workspace|enterprise|installation|integration|hook|documentation|commit|headcommit|branch|server|player|qualitygate|scm|vcs|board|model|manager|subscription|prefs|settings|config|configuration|client|system|labels?|tags?|old|previous\w*|metadata|links?)$|language$|^source|webhook/;
const OF_STATE = /(?:status|state|severity|priority|urgency|issuetype|statuscategory|phase|impact)$/;

/** `de` and `en-US`. */
const LANGUAGE = /^[a-z]{2}(?:[-_][A-Z]{2})?$/;
const COMMON = /^(?:en|de|fr|es|it|pt|ja|zh)$|[-_]/;
const MOST_LANGUAGES = 50;

function areLanguages(fields: Fields): boolean {
  const names = Object.keys(fields).slice(0, MOST_LANGUAGES);
  return names.every((name) => LANGUAGE.test(name)) && names.some((name) => COMMON.test(name));
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** The fields of an object, or of the only one of a list, and the way to them. */
export function innerOf(value: unknown): readonly [way: string, fields: Fields] {
  const list = listOf(value);
  return list.length === 1 ? ['.1', fieldsOf(list[0])] : ['', fieldsOf(value)];
}

/** The parts of a payload, the outer ones first. */
export function partsOf(payload: Fields): Part[] {
  const parts: Part[] = [];
  // A payload of one part is about that.
  const isOnly = Object.keys(payload).length === 1;
  let level = [
    { path: '', fields: payload, isPersonal: false, isAround: false, isInList: false, isOfState: false },
  ];
  for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { path, fields, ...of } of level)
      for (const [key, value] of Object.entries(fields)) {
        if (parts.length >= LOOKED_AT) return parts;
        // One text in several languages has the name of what holds them.
        const called = path !== '' && LANGUAGE.test(key) && areLanguages(fields) ? lastOf(path) : key;
        // What is hidden is neither a title nor a state.
        if (isSecretName(key) || isSecretPair(fields)) continue;
        const name = squeezed(called.slice(0, MOST_OF_KEY));
        const way = path === '' ? key : `${path}.${key}`;
        parts.push({ path: way, name, key, value, beside: fields, depth, ...of });
        const [more, inner] = innerOf(value);
        if (key.length <= MOST_OF_KEY && Object.keys(inner).length > 0)
          next.push({
            path: `${way}${more}`,
            fields: inner,
            isPersonal: of.isPersonal || PERSONAL.test(name),
            isAround:
              of.isAround ||
              (AROUND.test(name) &&
                !isOnly &&
                !(name === 'source' && inner.body !== undefined) &&
                // What Plex plays.
                !(name === 'metadata' && inner.title !== undefined)),
            isInList: of.isInList || more !== '',
            isOfState:
              of.isOfState ||
              (OF_STATE.test(name) && inner.state === undefined && inner.status === undefined),
          });
      }
    level = next;
  }
  return parts;
}

export const isAddress = (value: unknown): boolean => /^https?:\/\/\S+$/.test(textOf(value));

/** Numbers and names that programs give: they mean nothing to a reader. */
export const isId = (text: string): boolean =>
  /^(?:\d{6,}|\{?[\da-f]{8}-[\da-f-]{20,}\}?|(?=.*\d)[\da-f]{16,}|[^\s:]*:[^\s:]*:\S*|gid:\S*)$/i.test(text);

/** Whether something may be the title of what it lies in. */
export const isTitle = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  textOf(value).length <= 300 &&
  !textOf(value).includes('\n') &&
  !isAddress(value) &&
  !isId(textOf(value));

export const isSaid = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && !isAddress(value) && !NOTHING.test(value);

/** How programs write that there is nothing. */
const NOTHING = /^\s*(?:none|null|nil|n\/a|-)\s*$/i;

/** Names that say more than a name. */
export const FULLER = [
  'full_name',
  'display_name',
  'displayName',
  'repo_full_name',
  'repo_name',
  'path_with_namespace',
];
