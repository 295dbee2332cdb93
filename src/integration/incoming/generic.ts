import { type Card, signOf } from './card.ts';
import { slackText } from './formatting.ts';
import { type Fields, fieldsOf, joined, lineOf, nameOf, strong, textOf } from './payload.ts';
import { restOf } from './rest.ts';
import { vitalsOf } from './vitals.ts';

/** How programs that agree on nothing call the same things; the first that is there counts. */
const TITLES = words(
  'title subject headline eventtitle alertname alerttitle alarmname alertrule rulename ruletitle checkname monitorname monitorfriendlyname incidentname ' +
    'jobname projectname summary shortdescription name displayname eventname event eventtype webhookevent topic app application service monitor check job host type kind action',
);
const TEXTS = words(
  'message msg text body content statusmessage description details detail reason statereason newstatereason note comment error errormessage ' +
    'alertdetails output value',
);
const LINKS = words(
  'url link href htmlurl weburl permalink alerturl incidenturl buildurl targeturl dashboardurl detailsurl',
);
const AUTHORS = words('actor user sender agent author username createdby triggeredby requestedby owner by');
const LOOKED_AT = 2000;
const DEPTH = 5;

function words(text: string): readonly string[] {
  return text.split(' ');
}

interface Leaf {
  readonly path: string;
  /** In lower case and without signs, so that `alert_name` is `alertName`. */
  readonly name: string;
  readonly value: unknown;
}

/** The parts of a payload, the outer ones first. */
function partsOf(fields: Fields): Leaf[] {
  const parts: Leaf[] = [];
  let level: { path: string; fields: Fields }[] = [{ path: '', fields }];
  for (let depth = 0; depth < DEPTH; depth++) {
    const next: typeof level = [];
    for (const { path, fields: of } of level)
      for (const [key, value] of Object.entries(of)) {
        if (parts.length >= LOOKED_AT) return parts;
        const way = path === '' ? key : `${path}.${key}`;
        parts.push({ path: way, name: key.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), value });
        if (Object.keys(fieldsOf(value)).length > 0) next.push({ path: way, fields: fieldsOf(value) });
      }
    level = next;
  }
  return parts;
}

/** A payload of a product that is not known: what looks like a title, a state, a text or a link, and all the rest. */
export function readGeneric(fields: Fields): Card {
  const parts = partsOf(fields);
  const used = new Set<string>();
  const take = (names: readonly string[], isFit: (value: unknown) => boolean): unknown => {
    for (const name of names) {
      const part = parts.find((one) => one.name === name && !used.has(one.path) && isFit(one.value));
      if (!part) continue;
      used.add(part.path);
      return part.value;
    }
    return undefined;
  };
  const named = parts.find(({ name, value }) => /(?:title|subject|headline)$/.test(name) && isTitle(value));
  if (named) used.add(named.path);
  const found = lineOf(named ? named.value : take(TITLES, isTitle));
  const link = takeAddress(parts, used);
  const said = slackText(take(TEXTS, isSaid));
  const by = AUTHORS.map((name) => parts.find((one) => one.name === name && nameOf(one.value) !== '')).find(
    Boolean,
  );
  const author = nameOf(by?.value);
  // What else is said of a person is shown with the rest.
  if (by && typeof by.value !== 'object') used.add(by.path);
  for (const [name, value] of Object.entries(fieldsOf(by?.value)))
    if (lineOf(value) === author) used.add(`${by?.path}.${name}`);
  const facts = vitalsOf(fields, '');
  for (const { path } of facts) used.add(path);
  const rest = restOf(fields, (path) => used.has(path));
  // One line of text is the title of what has states and no other.
  const isTitled = found === '' && facts.length > 0 && !said.includes('\n') && said.length <= 200;
  const [title, text] = isTitled ? [said, ''] : [found, said];
  const sign = facts.map(({ value }) => signOf(value)).find((one) => one !== '') ?? '';
  const card: Card = {
    title: joined([sign, isTitled ? title : strong(title)], ' '),
    facts: [...facts, ...(author === '' ? [] : [{ name: 'by', value: author }])],
    link,
    text,
    rest,
  };
  // One line of text takes the link, too.
  const isShort = text !== '' && !text.includes('\n') && card.facts?.length === 0 && rest.length === 0;
  return isShort ? { title: card.title, text: joined([text, textOf(link)], ' ') } : card;
}

const isTitle = (value: unknown) =>
  textOf(value) !== '' && textOf(value).length <= 300 && !textOf(value).includes('\n') && !isAddress(value);
const isSaid = (value: unknown) => typeof value === 'string' && value.trim() !== '' && !isAddress(value);
const isAddress = (value: unknown) => /^https?:\/\/\S+$/.test(textOf(value));

/** An address that is none of a picture, a person or an interface. */
function takeAddress(parts: readonly Leaf[], used: Set<string>): unknown {
  const known = parts.filter(({ path, value }) => isAddress(value) && !used.has(path) && !NO_PAGE.test(path));
  const rank = ({ path, name }: Leaf) => {
    const place = LINKS.indexOf(name);
    if (place < 0 && !/(?:url|link|href|uri)$/.test(name)) return undefined;
    return (AROUND.test(path) ? 100 : 0) + (place < 0 ? LINKS.length : place);
  };
  let best: Leaf | undefined;
  for (const part of known) if ((rank(part) ?? 1000) < (best ? (rank(best) ?? 1000) : 1000)) best = part;
  if (best) used.add(best.path);
  return best?.value;
}

const NO_PAGE =
  /avatar|icon|image|logo|api|self|picture|unsubscribe|(?:^|\.)(?:actor|agent|user|sender|author|owner|creator|assignee)\./i;
/** Of what it happened in. */
const AROUND = /^(?:repository|project|page|meta|organization)\./i;
