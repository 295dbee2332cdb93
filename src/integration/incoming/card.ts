import { strong } from '#platform/text/index.ts';
import type { Block } from '../../conversation/blocks/index.ts';
import { joined, linked, prose } from './payload.ts';
import { emojiText } from './texts.ts';

export interface Fact {
  /** Empty for a value that says enough by itself. */
  readonly name: string;
  readonly value: string;
}

/** A line at the end of a card: a text, or the address of a picture or of a page that a button opens. */
export type Ending =
  | string
  | {
      readonly is: 'button' | 'picture';
      readonly name: string;
      readonly url: unknown;
      /** Whether the text has the address alone. */
      readonly isBare?: boolean;
    };

/** What a payload says, whichever product sent it. Texts are formatted as ours. */
export interface Card {
  /** What stands above the card. */
  readonly lead?: string;
  /** Whose card it is. */
  readonly byline?: string;
  /** What happened, in one line. */
  readonly title: string;
  /** What it happened to, as the title of an issue. */
  readonly about?: string;
  /** Where it can be looked at. */
  readonly link?: unknown;
  /** As #rrggbb, or one of Slack’s names. Without it, that of the sign in the title. */
  readonly color?: string | undefined;
  /** Who wrote the text. */
  readonly author?: string;
  /** What readers look for first, as a state or a severity: one line. */
  readonly facts?: readonly Fact[];
  readonly text?: string;
  /** Blocks that show themselves. `text` is what they say. */
  readonly blocks?: readonly Block[] | undefined;
  readonly fields?: readonly Fact[];
  /** What nothing here knows, line by line. */
  readonly rest?: readonly Fact[];
  readonly cards?: readonly Card[];
  readonly endings?: readonly Ending[];
}

/**
 * A card as the text of a message. Whatever it is that matters stands in its first three lines: what happened, to what and
 * where, and in what state it is.
 */
export function writeCard(card: Card): string {
  const { title, about = '', link, facts = [], author = '' } = card;
  const head = joined([
    about === '' ? linked(title, link) : title,
    about === '' ? '' : linked(strong(about), link),
    joined([author, ...facts.map(writeFact)], ' · '),
  ]);
  const body = joined([
    // The link of a card without a title.
    title === '' && about === '' && head === '' ? linked('', link) : '',
    card.text,
    ...(card.fields ?? []).map(writeField),
    ...(card.rest ?? []).map(writeFact),
    ...(card.endings ?? []).map(writeEnding),
  ]);
  return joined([joined([card.lead, card.byline, head, body]), ...(card.cards ?? []).map(writeCard)], '\n\n');
}

export const writeEnding = (ending: Ending): string =>
  typeof ending === 'string' ? ending : linked(ending.isBare ? '' : ending.name, ending.url);

export const writeFact = ({ name, value }: Fact) => (name === '' ? value : `${name}: ${value}`);

/** A name and its value, beside each other where the value is one line. */
export const writeField = ({ name, value }: Fact) => {
  const shown = strong(emojiText(name));
  return shown === '' ? value : joined([`${shown}:`, value], value.includes('\n') ? '\n' : ' ');
};

/** The sign of a state, as products call it. */
export function signOf(state: string): string {
  const plain = prose(state).toLowerCase();
  return SIGNS.find(([states]) => states.has(plain))?.[1] ?? '';
}

/** Words that end a matter, whatever it was before. */
const OVER = /^(?:resolved|closed|recovered|recovery|fixed|up|ok|normal)$/i;
const BAD = ['❌', '🔴', '🔥'];
/** How it was. */
const BEFORE = /(?:^| )(?:previous|prior|old|from|before|last (?:run|state|status))(?: |$)/;
/** How bad it is: no state by itself. */
const BESIDE = /(?:severity|priority|urgency|impact|level|importance)$/;

/**
 * The sign of several states: a failure counts for more than a success beside it, as that of a task that ran, and no state
 * of before for anything.
 */
export function signAmong(states: readonly Fact[]): string {
  const signed = states.filter(({ name, value }) => !BEFORE.test(name) && signOf(value) !== '');
  const main = signed.filter(({ name }) => !BESIDE.test(name));
  const first = main[0] ?? signed[0];
  if (!first) return '';
  const worse = [...main, ...signed.filter(({ name }) => name.endsWith('severity'))];
  const bad = OVER.test(first.value) ? undefined : worse.find(({ value }) => BAD.includes(signOf(value)));
  return signOf((bad ?? first).value);
}

const SIGNS: readonly (readonly [states: ReadonlySet<string>, sign: string])[] = [
  [
    new Set(
      'success|succeeded|successful|passed|pass|ok|fixed|resolved|up|approved|healthy|completed|closed|recovered|recovery|operational'.split(
        '|',
      ),
    ),
    '✅',
  ],
  [
    new Set(
      'failure|failed|fail|denied|declined|undelivered|bounced|bounce|hard bounce|error|errored|broken|rejected|timed out|startup failure|changes requested|unhealthy|failing'.split(
        '|',
      ),
    ),
    '❌',
  ],
  [
    new Set(
      'down|critical|crit|alarm|alerting|fatal|emergency|triggered|problem|disaster|major outage|outage'.split(
        '|',
      ),
    ),
    '🔴',
  ],
  [new Set('firing'.split('|')), '🔥'],
  [
    new Set(
      'warning|warn|degraded|degraded performance|partial outage|unstable|past due|overdue|high|medium'.split(
        '|',
      ),
    ),
    '⚠️',
  ],
  [new Set('cancelled|canceled|aborted|skipped|stopped'.split('|')), '🚫'],
  [new Set('pending|running|in progress|queued|waiting|started|processing'.split('|')), '⏳'],
];
