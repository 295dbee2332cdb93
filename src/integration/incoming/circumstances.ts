import type { Fact } from './card.ts';
import { FULLER, isAddress, isId, isTitle, type Part } from './parts.ts';
import { type Fields, fieldsOf, joined, lineOf, textOf } from './payload.ts';
import { isAdvisory } from './rest.ts';

const EVENTS =
  'webhookevent event eventtype eventname eventtypename eventkey eventcode topic detailtype notificationtype hookevent triggerevent subscriptiontype'.split(
    ' ',
  );
/** Of one payload they say together what happened to what. */
const ACTIONS =
  'resource resourcetype entity entitytype type kind class category trigger action operation op'.split(' ');
/** Says no more than that there is a call. */
const CALL =
  /^(?:(?:subscription|webhook|event)_?(?:payload|event|notification)|webhook|notification|event)$/i;
const OF_EVENT =
  /(?:^|\.)(?:actions?|events?|notification)(?:\.1)?\.(?:type|kind|class|name|action|category|op|operation|(?:entity|resource)_?type)$|^meta(?:data)?\.(?:action|entity|type|event(?:_?name)?)$|\.trigger$/i;
const AUTHORS = (
  'actor user sender agent author authorname username pusher operator committer createdby triggeredby requestedby creator reporter ' +
  'requester membercreator person organizer initiator owner by fromname sendername profile'
).split(' ');
const AUTHOR =
  /(?:author|committer|pusher|operator|creator|reporter|requester)(?:name|login)?$|username$|(?:created|updated|triggered|requested|started|merged|closed|deployed|changed|submitted|opened)by(?:name)?$/;
/** Where it happened. */
const PLACES = (
  'repository repo project branch tag workspace app application service pipeline host device server node instance sensor resource cluster namespace ' +
  'board space site component table bucket queue stack camera file'
).split(' ');

const MOST_PLACES = 3;
const MOST_NAME = 120;

/** An event as its product calls it, in words: `jira:issue_updated`, `taskStatusUpdated`, `BUILD_FINISHED`. */
function eventWords(value: string): string {
  const text = value.trim().split('\\').at(-1) ?? '';
  // A sentence, or a way to something.
  if (/\s/.test(text) || text.split('/').length > 2) return text;
  const parted = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll(/[_.:/-]+/g, ' ');
  return parted.trim().toLowerCase();
}

const isEvent = (text: string) =>
  text !== '' &&
  text.length <= MOST_NAME &&
  !text.includes('\n') &&
  !isAddress(text) &&
  !CALL.test(text) &&
  !/^[\da-f{}-]{8,}$|^\d+$/i.test(text);

/** What happened, in words. */
export function eventOf(parts: readonly Part[], topic: string, use: (part: Part) => unknown): string {
  const isFit = (part: Part, most: number) =>
    part.depth <= most &&
    !part.isPersonal &&
    (!part.isAround || OF_EVENT.test(part.path)) &&
    !part.isOfState &&
    isEvent(textOf(part.value)) &&
    typeof part.value === 'string';
  const main = EVENTS.map((name) => parts.find((one) => one.name === name && isFit(one, 3))).find(Boolean);
  if (!main && topic !== '') return eventWords(topic);
  const beside = main
    ? [parts.find((one) => one.name === 'action' && one.beside === main.beside && isFit(one, 3))]
    : ACTIONS.map((name) =>
        parts.find(
          (one) => one.name === name && (isFit(one, 0) || (isFit(one, 2) && OF_EVENT.test(one.path))),
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
  'handle',
  'summary',
  'email',
];

function personOf(value: unknown): string {
  const fields = fieldsOf(value);
  const name =
    typeof value === 'string'
      ? lineOf(value)
      : NAMES_OF_PEOPLE.map((key) => lineOf(fields[key])).find(Boolean) || bothNames(fields);
  // A machine is none.
  return name === undefined ||
    fields.ip !== undefined ||
    isAddress(name) ||
    isId(name) ||
    name.length > MOST_NAME
    ? ''
    : name;
}

/** The names of a person that are sent one by one. */
const bothNames = (fields: Fields): string =>
  joined([fields.first_name ?? fields.firstName, fields.last_name ?? fields.lastName].map(lineOf), ' ');

/** Who did it. */
export function authorOf(parts: readonly Part[], used: Set<string>): string {
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

/** Where it happened, as far as nothing says it before. */
export function locationsOf(
  parts: readonly Part[],
  used: Set<string>,
  isNews: (value: string) => boolean,
): Fact[] {
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

/** The weakness that it is about, by the id that people know it by. */
export function advisoryOf(
  parts: readonly Part[],
  used: Set<string>,
  isNews: (value: string) => boolean,
): Fact[] {
  const part = parts.find(({ value }) => isAdvisory(value));
  const value = textOf(part?.value);
  if (!part || !isNews(value)) return [];
  used.add(part.path);
  return [{ name: '', value }];
}

/** Who is called or written to, and by whom, as far as nothing says it before. */
export function contactsOf(
  parts: readonly Part[],
  used: Set<string>,
  isNews: (value: string) => boolean,
  isAboutSomebody: boolean,
): Fact[] {
  const contacts: Fact[] = isAboutSomebody ? personsName(parts, used, isNews) : [];
  for (const contact of isAboutSomebody ? [...ENDS, ...CONTACTS] : ENDS) {
    const part = parts.find(
      ({ name, value, depth, isPersonal, isAround, path }) =>
        name === contact &&
        depth <= 2 &&
        !isPersonal &&
        !isAround &&
        !used.has(path) &&
        isContact(textOf(value)),
    );
    const value = textOf(part?.value);
    if (!part || !isNews(value) || contacts.length >= MOST_CONTACTS) continue;
    used.add(part.path);
    contacts.push({ name: contact.replace('emailaddress', 'email'), value });
  }
  return contacts;
}

/** Of the person that it is about, whose names lie beside each other. */
function personsName(parts: readonly Part[], used: Set<string>, isNews: (value: string) => boolean): Fact[] {
  const first = parts.find(
    ({ name, beside, isPersonal }) => name === 'firstname' && bothNames(beside) !== '' && !isPersonal,
  );
  const value = first ? bothNames(first.beside) : '';
  if (!first || !/\s/.test(value) || !isNews(value)) return [];
  for (const part of parts)
    if (part.beside === first.beside && /^(?:first|last)name$/.test(part.name)) used.add(part.path);
  return [{ name: 'name', value }];
}

const ENDS = ['from', 'to', 'recipient'];
/** Where nobody is named who did it, this may be of the person that it is about. */
const CONTACTS = ['email', 'emailaddress', 'phone', 'phonenumber'];
const MOST_CONTACTS = 2;

/** A telephone number or an address of a mailbox. */
const isContact = (text: string) =>
  text.length <= MOST_NAME && /^(?:\w+:)?(?:\+\d[\d ()-]{5,20}|[^\s@<>]+@[^\s@<>]+\.\w+)$/.test(text);

function placeName(value: unknown): string {
  const fields = fieldsOf(value);
  const name =
    typeof value === 'string'
      ? value.trim()
      : ([...FULLER, 'name', 'title', 'summary'].map((key) => lineOf(fields[key])).find(Boolean) ?? '');
  return isTitle(name) && name.length <= MOST_NAME ? name : '';
}
