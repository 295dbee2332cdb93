import { asMrkdwn, linkPiece, strong, withEmoji } from '#platform/text/index.ts';
import {
  type Block,
  findBlocks,
  MAX_BLOCKS_BYTES,
  MOST_BLOCKS,
  MOST_PARTS,
} from '../../conversation/blocks/index.ts';
import { type Card, type Ending, type Fact, signAmong, writeEnding, writeFact, writeField } from './card.ts';
import { beginningOf, joined, linked, textOf } from './payload.ts';

/** Blocks with one edge, or without any. */
interface Group {
  readonly color: string | undefined;
  readonly blocks: object[];
}

/** The bounds of the shapes. */
const OF_TEXT = 12_000;
const OF_CONTEXT = 3000;
const OF_BUTTON = 75;
const OF_ADDRESS = 3000;
const FIELDS_TOGETHER = 10;
const BUTTONS_TOGETHER = 25;
const IN_CONTAINER = 10;
/** A longer value has a line of its own. */
const SHORT = 120;
/** Bytes of JSON around the blocks of a group, and of the last block. */
const AROUND = 150;

const CUT = { type: 'context', elements: [{ type: 'plain_text', text: '…' }] };

/**
 * A card as blocks, as far as a message can hold them. They say what its text says.
 * @param isCut whether something was left out before
 * @returns undefined for a card that is nothing but text
 */
export function showCard(card: Card, isCut: boolean): readonly Block[] | undefined {
  if (isTextAlone(card)) return undefined;
  return findBlocks(packed(groupsOf(card), isCut));
}

function isTextAlone({
  text: _,
  blocks,
  cards = [],
  endings = [],
  rest = [],
  fields = [],
  ...of
}: Card): boolean {
  const hasLines = rest.length + fields.length > 0 || endings.some((one) => writeEnding(one) !== '');
  const { lead, byline, title, about, author, facts = [], color, link } = of;
  const isMore = [lead, byline, title, about, author, color, textOf(link)].some((one) => (one ?? '') !== '');
  return !hasLines && !isMore && facts.length === 0 && blocks === undefined && cards.every(isTextAlone);
}

/** A card in a card shares its edge, unless it has one of its own. */
function groupsOf(card: Card, around?: string): Group[] {
  const color = colorOf(card) ?? around;
  const inner = (card.cards ?? []).flatMap((one) => groupsOf(one, color));
  const own = blocksOf(card);
  const groups = own.length === 0 ? inner : [{ color, blocks: own }, ...inner];
  const [first, second] = groups;
  const sharesEdge = color !== undefined && first?.color === color && second?.color === color;
  if (!sharesEdge || (card.cards ?? []).some((one) => colorOf(one) !== undefined)) return groups;
  return [{ color, blocks: groups.flatMap(({ blocks }) => blocks) }];
}

const EDGES: readonly (readonly [RegExp, string])[] = [
  [/[❌🔴🔥🚨]/u, 'danger'],
  [/⚠/u, 'warning'],
  [/✅/u, 'good'],
];

/** Its own, or that of the sign of its state. */
function colorOf({ color, title, about = '', facts = [] }: Card): string | undefined {
  if (color !== undefined) return color;
  const signs = [title, about, signAmong(facts)];
  for (const sign of signs) {
    const edge = EDGES.find(([one]) => one.test(sign))?.[1];
    if (edge !== undefined) return edge;
  }
  return undefined;
}

function blocksOf(card: Card): object[] {
  const { title, about = '', link, author = '', facts = [], fields = [], rest = [], endings = [] } = card;
  const circumstances = joined([author, ...facts.map(writeFact)], ' · ');
  const isBare = joined([title, about, circumstances]) === '';
  return [
    ...texts(card.lead),
    ...small(card.byline),
    ...(about === '' ? texts(linkOn(title, link)) : [...small(title), ...texts(linkOn(strong(about), link))]),
    ...small(circumstances),
    ...(isBare ? texts(linked('', link)) : []),
    ...(card.blocks ?? texts(card.text)),
    ...inColumns([
      ...fields.map(({ name, value }) => ({ name: withEmoji(name), value })),
      ...(rest.length > FIELDS_TOGETHER ? [] : rest),
    ]),
    ...(rest.length > FIELDS_TOGETHER ? texts(joined(rest.map(writeFact))) : []),
    ...ended(endings),
  ];
}

const isPage = (url: unknown) => /^https?:\/\//.test(textOf(url));

/** The sign of a state stands before the link. */
function linkOn(text: string, url: unknown): string {
  const [, sign = '', said = text] = /^(\p{Extended_Pictographic}\ufe0f? )?(.*)$/su.exec(text) ?? [];
  return said === '' || !isPage(url) ? text : sign + linkPiece(said, textOf(url), true).text;
}

/** A text in pieces that end with a line. */
function texts(text = ''): object[] {
  const pieces: object[] = [];
  for (let left = text.trim(); left !== ''; ) {
    const piece = beginningOf(left, OF_TEXT);
    const end = piece.length < left.length ? piece.lastIndexOf('\n') : -1;
    const taken = end > 0 ? piece.slice(0, end) : piece;
    pieces.push({ type: 'markdown', text: taken });
    left = left.slice(taken.length).trimStart();
  }
  return pieces;
}

/** One line in small letters. */
function small(text = ''): object[] {
  const said = text === '' || text.length > OF_CONTEXT ? undefined : asMrkdwn(text);
  if (said === undefined || said.length > OF_CONTEXT) return texts(text);
  return [{ type: 'context', elements: [{ type: 'mrkdwn', text: said }] }];
}

/** Short values stand beside each other; each other one has the width. */
function inColumns(facts: readonly Fact[]): object[] {
  const blocks: object[] = [];
  let fields: object[] = [];
  const end = () => {
    if (fields.length > 0) blocks.push({ type: 'section', fields });
    fields = [];
  };
  for (const fact of facts) {
    const text = joined([strong(fact.name), fact.value]);
    const field = text.length > SHORT || fact.value.includes('\n') ? undefined : asMrkdwn(text);
    if (fields.length === FIELDS_TOGETHER || field === undefined) end();
    if (field === undefined) blocks.push(...texts(writeField(fact)));
    else fields.push({ type: 'mrkdwn', text: field });
  }
  end();
  return blocks;
}

/** Pictures, then buttons, then lines in small letters. */
function ended(endings: readonly Ending[]): object[] {
  const shown = endings.map(asBlock).filter((one) => one !== undefined);
  const buttons = shown.filter(({ type }) => type === 'button');
  return [
    ...shown.filter(({ type }) => type === 'image'),
    ...shown.filter(({ type }) => type === 'markdown'),
    ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons.slice(0, BUTTONS_TOGETHER) }]),
    ...endings.flatMap((ending) => (typeof ending === 'string' ? small(ending) : [])),
  ];
}

/** A picture or a button; one that no block can hold is a link. */
function asBlock(ending: Ending): ({ readonly type: string } & Record<string, unknown>) | undefined {
  if (typeof ending === 'string') return undefined;
  const { is, name } = ending;
  const address = textOf(ending.url);
  const url = address.length > OF_ADDRESS ? null : URL.parse(address);
  const isSafe = url?.protocol === 'https:' && url.username === '' && url.password === '';
  if (isSafe && is === 'picture')
    return { type: 'image', image_url: address, alt_text: name.slice(0, OF_CONTEXT) || url.host };
  if (isSafe && name !== '') {
    const text = { type: 'plain_text', text: shortened(name, OF_BUTTON) };
    return { type: 'button', text, url: address };
  }
  const text = isPage(address) && name !== '' ? linkOn(name, address) : writeEnding(ending);
  return text === '' ? undefined : { type: 'markdown', text: beginningOf(text, OF_TEXT) };
}

const shortened = (text: string, most: number) =>
  text.length <= most ? text : `${beginningOf(text, most - 1)}…`;

/** As many blocks as a message holds, those of a group in containers. Says at the end that there is more. */
function packed(groups: readonly Group[], wasCut: boolean): object[] {
  const shown: object[] = [];
  let [parts, bytes] = [1, AROUND];
  let isFull = false;
  const add = (blocks: readonly object[], color: string | undefined): void => {
    const isGrouped = color !== undefined;
    const cost = Buffer.byteLength(JSON.stringify(blocks)) + (isGrouped ? AROUND : 0);
    const count = countOf(blocks) + (isGrouped ? 1 : 0);
    const places = isGrouped ? 1 : blocks.length;
    const fits =
      !isFull &&
      shown.length + places < MOST_BLOCKS &&
      parts + count <= MOST_PARTS &&
      bytes + cost <= MAX_BLOCKS_BYTES;
    if (!fits) {
      isFull = true;
      return;
    }
    parts += count;
    bytes += cost;
    shown.push(...(isGrouped ? [{ type: 'container', color, child_blocks: blocks }] : blocks));
  };
  for (const [at, { color, blocks }] of groups.entries()) {
    if (at > 0 && color === undefined && groups[at - 1]?.color === undefined)
      add([{ type: 'divider' }], undefined);
    for (let from = 0; from < blocks.length; from += IN_CONTAINER)
      add(blocks.slice(from, from + IN_CONTAINER), color);
  }
  return wasCut || isFull ? [...shown, CUT] : shown;
}

/** Blocks and elements, each with the ids that it gets. */
const countOf = (blocks: readonly object[]): number =>
  blocks.reduce((sum, { elements = [] }: { elements?: object[] }) => sum + 1 + elements.length, 0);
