import { pageAmong, pageOfJira } from './address.ts';
import { type Card, type Fact, signAmong } from './card.ts';
import { htmlText, slackText } from './formatting.ts';
import { isAddress, isId, type Part, partsOf } from './parts.ts';
import { beginningOf, type Fields, fieldsOf, joined, lineOf, strong, textOf, wordsOf } from './payload.ts';
import { isNoise, restOf } from './rest.ts';
import { isVital, vitalsOf } from './vitals.ts';

/** How programs that agree on nothing call the same things; the first that is there counts. */
const TITLES = words(
  'title subject headline eventtitle eventdefinitiontitle alertname alerttitle alarmname alertrule rulename ruletitle checkname monitorname ' +
    'monitorfriendlyname incidentname pulsename searchname exceptionclass errorclass klass jobname projectname summary shortdescription name displayname app application service ' +
    'servicedesc servicedescription monitor check sensor job hostname host path file',
);
const TEXTS = words(
  'message msg text markdown body content statusmessage description details detail reason statereason newstatereason note comment error errormessage ' +
    'alertdetails output value cause info subject summary',
);
const EVENTS = words(
  'webhookevent event eventtype eventname eventkey topic detailtype notificationtype hookevent triggerevent',
);
/** Of one payload they say together what happened to what. */
const ACTIONS = words('resource type kind class trigger action');
const AUTHORS = words(
  'actor user sender agent author authorname username pusher operator committer createdby triggeredby requestedby creator reporter ' +
    'requester membercreator person organizer initiator owner by',
);
const AUTHOR =
  /(?:author|committer|pusher|operator|creator|reporter|requester)(?:name|login)?$|username$|(?:created|updated|triggered|requested|started|merged|closed|deployed|changed|submitted|opened)by(?:name)?$/;
/** Where it happened. */
const PLACES = words(
  'repository repo project branch tag workspace app application service pipeline host device server node instance sensor resource cluster namespace ' +
    'board space site component table bucket queue table bucket queue',
);
/** Where something is built, its text is that of the change. */
const OF_CODE = /(?:^|[._])(?:head_?commit|commit|vcs|scm)\./i;
const MOST_PLACES = 3;
const MOST_NAME = 120;
/** Of what is said before. */
const MOST_TOLD = 2000;

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** A payload of a product that is not known: what looks like a title, a state, a text or a link, and all the rest. */
export function readGeneric(fields: Fields, topic = ''): Card {
  const parts = partsOf(fields);
  const used = new Set<string>();
  const use = (part: Part | undefined) => part && used.add(part.path);
  hideCopies(parts, used);

  const heading = titleOf(parts, (part) => !part.isAround && !part.isInList);
  use(heading);
  const link = pageOfJira(parts) || pageAmong(parts)?.value;
  if (link !== undefined) for (const { path, value } of parts) if (value === link) used.add(path);
  const states = vitalsOf(fields, '');
  for (const { path } of states) used.add(path);
  const said = textAmong(parts, used);
  use(said);
  const event = eventOf(parts, topic, use);
  let title = named(heading, parts, used);
  let text = plainText(said?.value);
  const isOneLine = text !== '' && !text.includes('\n') && text.length <= 200 && (said?.depth ?? 0) <= 2;
  let isSentence = false;
  // One line of text is the title of what has states and no other.
  if (title === '' && isOneLine && (states.length > 0 || event !== '')) {
    [title, isSentence] = [text, true];
    const more = textAmong(parts, used);
    use(more);
    text = plainText(more?.value);
    if (wordsOf(joined([title, ...states.map(({ value }) => value)])).includes(wordsOf(text))) text = '';
    else if (wordsOf(title).startsWith(wordsOf(text.split('\n', 1)[0] ?? '')))
      text = text.split('\n').slice(1).join('\n');
  }
  if (title === '') {
    const around = titleOf(parts, () => true, used);
    use(around);
    title = named(around, parts, used);
  }
  if (title === '') title = event;
  const by = authorOf(parts, used);
  const told = wordsOf(beginningOf(`${title}\n${text}`, MOST_TOLD));
  const isNews = (value: string) => !told.includes(wordsOf(value));
  const facts: Fact[] = [
    ...(event !== '' && isNews(event) ? [{ name: '', value: event }] : []),
    ...states,
    ...placesOf(parts, used, isNews),
    ...(by === '' ? [] : [{ name: 'by', value: by }]),
  ];
  const { rest, noise } = sorted(restOf(fields, (path) => used.has(path)));
  // An event that is completed says nothing of how it ended.
  const ending = event.split(' ').at(-1) ?? '';
  const sign = signAmong([...states, { name: 'state', value: ending === 'completed' ? '' : ending }]);
  const shown = isSentence ? title : strong(title);
  const card: Card = { title: joined([sign, shown], ' '), facts, link, text, rest: [...rest, ...noise] };
  // One line of text takes the link, too.
  const isShort = text !== '' && !text.includes('\n') && facts.length === 0 && card.rest?.length === 0;
  return isShort ? { title: card.title, text: joined([text, textOf(link)], ' ') } : card;
}

/** What says something stands before numbers of programs and moments. */
function sorted(rest: readonly Fact[]): { rest: Fact[]; noise: Fact[] } {
  const isLast = ({ name, value }: Fact) => name === '' || isNoise(name, value);
  return { rest: rest.filter((fact) => !isLast(fact)), noise: rest.filter(isLast) };
}

const isTitle = (value: unknown) =>
  textOf(value) !== '' &&
  textOf(value).length <= 300 &&
  !textOf(value).includes('\n') &&
  !isAddress(value) &&
  typeof value === 'string' &&
  !isId(textOf(value));
const isSaid = (value: unknown) => typeof value === 'string' && value.trim() !== '' && !isAddress(value);

/** The same text in several formats is shown once. */
function hideCopies(parts: readonly Part[], used: Set<string>): void {
  for (const { path, name, beside } of parts) {
    const { text, html, markdown, plain } = beside;
    const best = [markdown, text, plain, html].find(isSaid);
    if (best === undefined || !/^(?:text|html|markdown|plain)$/.test(name)) continue;
    if (
      [text, html, markdown, plain].filter(isSaid).length > 1 &&
      beside[path.split('.').at(-1) ?? ''] !== best
    )
      used.add(path);
  }
}

function titleOf(
  parts: readonly Part[],
  isFit: (part: Part) => boolean,
  used: ReadonlySet<string> = new Set(),
): Part | undefined {
  const fit = parts.filter(
    (part) =>
      !part.isPersonal && !part.isOfState && isTitle(part.value) && isFit(part) && !used.has(part.path),
  );
  const found =
    fit.find(({ name }) => /(?<!column|field)(?:title|subject|headline)$/.test(name)) ??
    TITLES.map((name) => fit.find((one) => one.name === name)).find(Boolean);
  // Beside a name, a summary is the text.
  const own =
    found?.name === 'summary' && fit.find((one) => one.name === 'name' && one.beside === found.beside);
  return own || found;
}

/** Names that say more than a name. */
const FULLER = [
  'full_name',
  'display_name',
  'displayName',
  'repo_full_name',
  'repo_name',
  'path_with_namespace',
];
/** What people call it by. */
const NUMBERS = ['key', 'identifier', 'reference', 'number', 'id'];

/** What people know by its id. */
const NUMBERED = /(?:pull_?request|issue|merge_?request|ticket|task|story|bug|order|incident)\.$/i;

/** A title with what it is called by, as the number of a ticket. */
function named(part: Part | undefined, parts: readonly Part[], used: Set<string>): string {
  if (!part) return '';
  const way = part.path.slice(0, part.path.length - part.key.length);
  const fuller = part.name === 'name' ? FULLER.find((key) => isTitle(part.beside[key])) : undefined;
  if (fuller !== undefined) used.add(`${way}${fuller}`);
  const line = lineOf(fuller === undefined ? part.value : part.beside[fuller]);
  if (!wordsOf(line).includes(wordsOf(lineOf(part.value)))) used.delete(part.path);
  const title = line.includes('](') ? slackText(line) : line;
  const parent = parts.find(({ path }) => `${path}.` === way);
  for (const [beside, before] of [
    [part.beside, way],
    [parent?.beside ?? {}, parent ? parent.path.slice(0, parent.path.length - parent.key.length) : ''],
  ] as const)
    for (const key of NUMBERS) {
      const number = textOf(beside[key]);
      const isNumber = typeof beside[key] === 'number' && /^\d{1,6}$/.test(number) && key !== 'key';
      if (part.isAround || (!/^[A-Z][A-Z\d]{0,9}-\d{1,7}$/.test(number) && !(isNumber && before === way)))
        continue;
      if (key === 'id' && !NUMBERED.test(way)) continue;
      used.add(`${before}${key}`);
      if (wordsOf(title).includes(wordsOf(number))) return title;
      return `${isNumber ? '#' : ''}${number} ${title}`;
    }
  return title;
}

const plainText = (value: unknown) =>
  slackText(typeof value === 'string' ? htmlText(value).replaceAll('%%%', '') : value).trim();

function textAmong(parts: readonly Part[], used: ReadonlySet<string>): Part | undefined {
  const fit = parts.filter(
    (part) =>
      !part.isPersonal &&
      !part.isOfState &&
      isSaid(part.value) &&
      !used.has(part.path) &&
      !isVital(part.key) &&
      !isId(textOf(part.value)),
  );
  // Beside a name, a summary is a text.
  const isText = ({ name, beside, depth }: Part) =>
    !/^(?:summary|subject)$/.test(name) ||
    depth === 0 ||
    (beside.name === undefined) === (name === 'subject');
  const among = (some: readonly Part[]) =>
    TEXTS.map((name) => some.find((one) => one.name === name && isText(one))).find(Boolean) ??
    some.find(({ name }) => /(?:message|description|output|text|body)$/.test(name));
  return (
    among(fit.filter(({ isAround }) => !isAround)) ?? among(fit.filter(({ path }) => OF_CODE.test(path)))
  );
}

/** An event as its product calls it, in words: `jira:issue_updated`, `taskStatusUpdated`, `BUILD_FINISHED`. */
function eventWords(value: string): string {
  const text = value.trim().split('\\').at(-1) ?? '';
  if (/\s/.test(text)) return text;
  const parted = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll(/[_.:/-]+/g, ' ');
  return parted.trim().toLowerCase();
}

const isEvent = (text: string) =>
  text !== '' &&
  text.length <= MOST_NAME &&
  !text.includes('\n') &&
  !isAddress(text) &&
  !/^[\da-f{}-]{8,}$|^\d+$/i.test(text);

function eventOf(parts: readonly Part[], topic: string, use: (part: Part) => unknown): string {
  const isFit = (part: Part, most: number) =>
    part.depth <= most &&
    !part.isPersonal &&
    !part.isAround &&
    !part.isOfState &&
    isEvent(textOf(part.value)) &&
    typeof part.value === 'string';
  const main = EVENTS.map((name) => parts.find((one) => one.name === name && isFit(one, 3))).find(Boolean);
  if (!main && topic !== '') return eventWords(topic);
  const beside = main
    ? [parts.find((one) => one.name === 'action' && one.beside === main.beside && isFit(one, 3))]
    : ACTIONS.map((name) =>
        parts.find(
          (one) =>
            one.name === name &&
            (isFit(one, 0) ||
              (isFit(one, 2) &&
                /(?:^|\.)(?:action|event)\.(?:type|class|name|action)$|\.trigger$/.test(one.path))),
        ),
      );
  const all = [main, ...beside].filter((one) => one !== undefined);
  // The name of a class is shown in full besides.
  for (const part of all) if (!textOf(part.value).includes('\\')) use(part);
  return [...new Set(all.map(({ value }) => eventWords(textOf(value))))]
    .filter((one, _, list) => !list.some((other) => other !== one && other.includes(one)))
    .join(' ');
}

const NAMES_OF_PEOPLE = [
  'login',
  'username',
  'display_name',
  'displayName',
  'fullName',
  'name',
  'full_name',
  'summary',
  'email',
];

function personOf(value: unknown): string {
  const fields = fieldsOf(value);
  const name =
    typeof value === 'string'
      ? lineOf(value)
      : NAMES_OF_PEOPLE.map((key) => lineOf(fields[key])).find(Boolean);
  // A machine is none.
  return name === undefined ||
    fields.ip !== undefined ||
    isAddress(name) ||
    isId(name) ||
    name.length > MOST_NAME
    ? ''
    : name;
}

function authorOf(parts: readonly Part[], used: Set<string>): string {
  const fit = parts.filter(
    ({ name, value, path, beside }) =>
      !used.has(path) && personOf(value) !== '' && !(name === 'operator' && 'threshold' in beside),
  );
  const by =
    AUTHORS.map((name) => fit.find((one) => one.name === name && !one.isAround)).find(Boolean) ??
    fit.find(({ name }) => AUTHOR.test(name)) ??
    fit.find(({ name }) => AUTHORS.includes(name));
  if (!by) return '';
  const author = personOf(by.value);
  // What else is said of a person is shown with the rest.
  if (typeof by.value !== 'object') used.add(by.path);
  for (const [name, value] of Object.entries(fieldsOf(by.value)))
    if (lineOf(value) === author) used.add(`${by.path}.${name}`);
  return author;
}

function placesOf(parts: readonly Part[], used: Set<string>, isNews: (value: string) => boolean): Fact[] {
  const places: Fact[] = [];
  for (const place of PLACES) {
    if (places.length >= MOST_PLACES) break;
    for (const part of parts) {
      if (
        part.isPersonal ||
        part.isAround ||
        part.name.replace(/(?:display|friendly)?name$/, '') !== place ||
        used.has(part.path)
      )
        continue;
      const name = placeName(part.value);
      if (name === '' || places.some(({ value }) => value === name)) continue;
      if (!isNews(name)) break;
      if (typeof part.value === 'string') used.add(part.path);
      else
        for (const [key, value] of Object.entries(fieldsOf(part.value)))
          if (lineOf(value) === name) used.add(`${part.path}.${key}`);
      places.push({ name: place, value: name });
      break;
    }
  }
  return places;
}

function placeName(value: unknown): string {
  const fields = fieldsOf(value);
  const name =
    typeof value === 'string'
      ? value.trim()
      : ([...FULLER, 'name', 'title', 'summary'].map((key) => lineOf(fields[key])).find(Boolean) ?? '');
  return isTitle(name) && name.length <= MOST_NAME ? name : '';
}
