import { strong } from '#platform/text/index.ts';
import { pageAmong, pageOfJira } from './address.ts';
import { type Card, type Fact, signAmong } from './card.ts';
import { advisoryOf, authorOf, contactsOf, eventOf, locationsOf } from './circumstances.ts';
import { hideRepeats, nameAmong, named, plainText, textAmong, titleOf } from './headline.ts';
import { type Part, partsOf } from './parts.ts';
import { beginningOf, type Fields, joined, textOf, wordsOf } from './payload.ts';
import { isNoise, restOf } from './rest.ts';
import { HIDDEN } from './secrets.ts';
import { isSuccess, vitalsOf } from './vitals.ts';

/** Of what is said before. */
const MOST_TOLD = 2000;
/** A longer text, or one that lies deeper, is no title. */
const MOST_OF_TITLE = 200;
const DEEPEST_TITLE = 2;

/**
 * A payload of a product that is not known: what looks like a title, an event, a state, a place, an author, a text or a link, and
 * all the rest.
 * @param topic the event, where a header names it
 */
export function readGeneric(fields: Fields, topic = ''): Card {
  const parts = partsOf(fields);
  const used = new Set<string>();
  const use = (part: Part | undefined) => part && used.add(part.path);
  hideRepeats(parts, used);
  const heading = titleOf(parts, (part) => !part.isAround && !part.isInList);
  use(heading);
  const link = pageOfJira(parts) || pageAmong(parts)?.value;
  if (link !== undefined) for (const { path, value } of parts) if (value === link) used.add(path);
  const states = vitalsOf(fields, '');
  for (const { path } of states) used.add(path);
  const { title, text, isSentence, event } = sayingsOf(parts, heading, states, used, topic);
  const by = authorOf(parts, used);
  const told = wordsOf(beginningOf(`${title}\n${text}`, MOST_TOLD));
  const isNews = (value: string) => !told.includes(wordsOf(value));
  const facts: Fact[] = [
    ...(event !== '' && isNews(event) ? [{ name: '', value: event }] : []),
    ...states,
    ...advisoryOf(parts, used, isNews),
    ...locationsOf(parts, used, isNews),
    ...(by === '' ? [] : [{ name: 'by', value: by }]),
    ...contactsOf(parts, used, isNews, by === ''),
  ];
  // An event that is completed says nothing of how it ended.
  const ending = (event.split(' ').at(-1) ?? '').replace('completed', '');
  const success = states.find(({ name }) => isSuccess(name));
  const sign = signAmong([
    ...states,
    { name: 'state', value: success ? (/^(?:yes|true)$/.test(success.value) ? 'success' : 'failure') : '' },
    { name: 'state', value: event === 'alert' ? 'alerting' : ending },
  ]);
  // Where nothing has a name, the first state is what happened: that of a call or of a message.
  const [first] = states;
  const heads =
    title === '' && text === '' && first
      ? `${first.name.replace(/ ?(?:status|state|result)$/, '')} ${first.value}`
      : title;
  const shown = joined([sign, isSentence ? heads : strong(heads)], ' ');
  const rest = sorted(restOf(fields, (path) => used.has(path)));
  // One line of text takes the link, too.
  const isShort = text !== '' && !text.includes('\n') && facts.length === 0 && rest.length === 0;
  return isShort
    ? { title: shown, text: joined([text, textOf(link)], ' ') }
    : { title: shown, facts, link, text, rest };
}

/** What it is about, and what it says; without a title, one line of text is the title of what has states. */
function sayingsOf(
  parts: readonly Part[],
  heading: Part | undefined,
  states: readonly Fact[],
  used: Set<string>,
  topic: string,
): { title: string; text: string; isSentence: boolean; event: string } {
  const use = (part: Part | undefined) => part && used.add(part.path);
  const said = textAmong(parts, used);
  use(said);
  const event = eventOf(parts, topic, use);
  const title = named(heading, parts, used);
  const text = plainText(said?.value);
  if (title !== '') return { title, text, isSentence: false, event };
  // A reason may be a word that says nothing alone.
  const isReason = /reason$/.test(said?.name ?? '') && !/\s/.test(text);
  const isLine = text !== '' && !isReason && text.length <= MOST_OF_TITLE && !text.includes('\n');
  if (isLine && (said?.depth ?? 0) <= DEEPEST_TITLE && (states.length > 0 || event !== '')) {
    const more = textAmong(parts, used);
    use(more);
    return { title: text, text: without(text, states, plainText(more?.value)), isSentence: true, event };
  }
  const around = titleOf(parts, () => true, used) ?? (event === '' ? nameAmong(parts) : undefined);
  use(around);
  return { title: named(around, parts, used) || event, text, isSentence: false, event };
}

/** A text without what the title or the states say already. */
function without(title: string, states: readonly Fact[], text: string): string {
  const told = wordsOf(joined([title, ...states.map(({ value }) => value)]));
  if (told.includes(wordsOf(beginningOf(text, MOST_TOLD)))) return '';
  const [first = '', ...rest] = text.split('\n');
  return wordsOf(title).startsWith(wordsOf(first)) ? rest.join('\n') : text;
}

/** What says something stands before numbers of programs and moments. */
function sorted(rest: readonly Fact[]): Fact[] {
  const isLast = ({ name, value }: Fact) => name === '' || value === HIDDEN || isNoise(name, value);
  return [...rest.filter((fact) => !isLast(fact)), ...rest.filter(isLast)];
}
