import { FULLER, isId, isSaid, isTitle, type Part } from './parts.ts';
import { lineOf, textOf, wordsOf } from './payload.ts';
import { slackText, untagged } from './texts.ts';
import { isVital } from './vitals.ts';

/** How programs that agree on nothing call the same things; the first that is there counts. */
const TITLES = (
  'title subject headline eventtitle eventdefinitiontitle alertname alerttitle alarmname alertrule rulename ruletitle checkname monitorname ' +
  'monitorfriendlyname incidentname pulsename searchname exceptionclass errorclass klass jobname projectname summary shortdescription name displayname alert problem incident topic app application service ' +
  'servicedesc servicedescription monitor check sensor job label hostname host path file'
).split(' ');
const TEXTS = (
  'message msg displaymessage text markdown body content statusmessage description details detail reason statereason newstatereason note comment error errormessage ' +
  'alertdetails output value cause info raw cooked subject summary'
).split(' ');

/** Where something is built, its text is that of the change. */
const OF_CODE = /(?:^|[._])(?:head_?commit|commit|vcs|scm)\./i;

/** One text in several formats, of which the first is shown. */
const FORMATS = ['markdown', 'text', 'raw', 'plain', 'html', 'cooked'];

export function hideRepeats(parts: readonly Part[], used: Set<string>): void {
  for (const { path, key, beside } of parts) {
    if (!FORMATS.includes(key)) continue;
    const best = FORMATS.find((format) => isSaid(beside[format]));
    if (best !== undefined && best !== key) used.add(path);
  }
}

/** The part that says what it is about. */
export function titleOf(
  parts: readonly Part[],
  isFit: (part: Part) => boolean,
  used: ReadonlySet<string> = new Set(),
): Part | undefined {
  const fit = parts.filter(
    (part) =>
      !part.isPersonal &&
      !part.isOfState &&
      isTitle(part.value) &&
      // Without a blank it is one of messages between programs.
      (part.name !== 'topic' || /\s/.test(textOf(part.value))) &&
      isFit(part) &&
      !used.has(part.path),
  );
  const found =
    fit.find(({ name }) => /(?<!column|field|method|section|plan)(?:title|subject|headline)$/.test(name)) ??
    TITLES.map((name) => fit.find((one) => one.name === name)).find(Boolean);
  // Beside a name, a summary is the text.
  const own =
    found?.name === 'summary' && fit.find((one) => one.name === 'name' && one.beside === found.beside);
  return own || found;
}

/** Where nothing is called a title: what has a name, or an id that is a word. */
export function nameAmong(parts: readonly Part[]): Part | undefined {
  const fit = parts.filter(
    (part) => !part.isPersonal && !part.isAround && !part.isOfState && isTitle(part.value),
  );
  return (
    fit.find(
      ({ name }) =>
        /name$/.test(name) &&
        !/(?:user|account|customer|client|author|first|last|from|sender|branch)name$/.test(name),
    ) ??
    fit.find(
      ({ name, value }) => /(?:id|slug|key)$/.test(name) && /^[a-z][a-z _-]{2,60}$/i.test(textOf(value)),
    )
  );
}

/** What people call it by. */
const NUMBERS = ['key', 'identifier', 'reference', 'number', 'id'];
/** What people know by its id. */
const NUMBERED =
  /(?:pull_?request|issue|merge_?request|ticket|task|story|bug|order|incident|work_?(?:package|item)|deal)\.$/i;

const wayOf = ({ path, key }: Part) => path.slice(0, path.length - key.length);

/** A link to a mailbox, within a title. */
const TO_MAILBOX = /\[([^[\]]*)\]\(mailto:[^()]*\)/g;

/** Titles that say little without the message beside them. */
const CLASSES = /^(?:exceptionclass|errorclass|klass)$/;

/** A title with what it is called by, as the number of a ticket. */
export function named(part: Part | undefined, parts: readonly Part[], used: Set<string>): string {
  if (!part) return '';
  const fuller = part.name === 'name' ? FULLER.find((key) => isTitle(part.beside[key])) : undefined;
  if (fuller !== undefined) used.add(`${wayOf(part)}${fuller}`);
  const line = lineOf(fuller === undefined ? part.value : part.beside[fuller]);
  if (!wordsOf(line).includes(wordsOf(lineOf(part.value)))) used.delete(part.path);
  if (CLASSES.test(part.name) && isSaid(part.beside.message)) {
    used.add(`${wayOf(part)}message`);
    return `${line}: ${lineOf(part.beside.message)}`;
  }
  const title = line.includes('](') ? slackText(line.replaceAll(TO_MAILBOX, '$1')) : line;
  const number = part.isAround ? undefined : numberOf(part, parts);
  if (!number) return title;
  used.add(number.path);
  return wordsOf(title).includes(wordsOf(number.text)) ? title : `${number.text} ${title}`;
}

/** The number of a thing, beside its title or beside what that lies in, as Jira has it. */
function numberOf(part: Part, parts: readonly Part[]): { path: string; text: string } | undefined {
  const way = wayOf(part);
  const parent = parts.find(({ path }) => `${path}.` === way);
  for (const [beside, before] of [
    [part.beside, way],
    [parent?.beside ?? {}, parent ? wayOf(parent) : ''],
  ] as const)
    for (const key of NUMBERS) {
      const text = textOf(beside[key]);
      if (/^[A-Z][A-Z\d]{0,9}-\d{1,7}$/.test(text)) return { path: `${before}${key}`, text };
    }
  for (const key of NUMBERS) {
    const value = part.beside[key];
    const isNumber = typeof value === 'number' && /^\d{1,6}$/.test(String(value)) && key !== 'key';
    if (isNumber && (key !== 'id' || NUMBERED.test(way))) return { path: `${way}${key}`, text: `#${value}` };
  }
  return undefined;
}

/** A text as ours: some products send HTML, and Datadog puts marks around its Markdown. */
export const plainText = (value: unknown) =>
  slackText(typeof value === 'string' ? untagged(value).replaceAll('%%%', '') : value).trim();

/** The part that says most about it. */
export function textAmong(parts: readonly Part[], used: ReadonlySet<string>): Part | undefined {
  const fit = parts.filter(
    (part) =>
      !part.isPersonal &&
      !part.isOfState &&
      isSaid(part.value) &&
      !used.has(part.path) &&
      !isVital(part.key) &&
      !isId(textOf(part.value)) &&
      // The name of one item of a list, repeated.
      !(part.isInList && [part.beside.type, part.beside.name].includes(part.value)),
  );
  // Beside a name, a summary is a text.
  const isText = ({ name, beside, depth }: Part) =>
    !/^(?:summary|subject)$/.test(name) ||
    depth === 0 ||
    (beside.name === undefined) === (name === 'subject');
  const among = (some: readonly Part[]) =>
    TEXTS.map((name) => some.find((one) => one.name === name && isText(one))).find(Boolean) ??
    some.find(({ name }) => /(?:message|description|output|text|body|reason)$/.test(name));
  return (
    among(fit.filter(({ isAround }) => !isAround)) ?? among(fit.filter(({ path }) => OF_CODE.test(path)))
  );
}
