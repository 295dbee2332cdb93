import { hostBehind, hostHidden } from './address.ts';
import { piecesOf, type Token, tokensOf } from './markdown/markdown.ts';

export { MOST_COLUMNS, MOST_ROWS } from './markdown/block-rules.ts';

/** A piece of a line. */
export type Inline =
  /** Line breaks are shown. */
  | { readonly kind: 'text' | 'code'; readonly text: string }
  /** A user name. `longest` has the dots behind it, which may be part of the name. */
  | { readonly kind: 'mention'; readonly text: string; readonly longest?: string }
  /** Between colons: perhaps an emoji of the server. `text` has no colons. */
  | { readonly kind: 'emoji'; readonly text: string }
  | { readonly kind: 'strong' | 'em' | 'strike'; readonly children: readonly Inline[] }
  | Link
  /** Where the text mentions a thing of an application. */
  | { readonly kind: 'object' };

export interface Link {
  readonly kind: 'link';
  readonly url: string;
  readonly children: readonly Inline[];
  readonly title?: string;
  /** Where its text names another host, or a person: the host that it leads to. */
  readonly host?: string;
}

export interface Item {
  readonly blocks: readonly Block[];
  /** Of a numbered list: as it was written. */
  readonly number?: number;
  /** Of a task. */
  readonly checked?: boolean;
}

export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  /** `language` is what stood behind the signs that opened it. */
  | { readonly kind: 'code'; readonly text: string; readonly language?: string }
  | { readonly kind: 'list'; readonly isNumbered: boolean; readonly items: readonly Item[] }
  | { readonly kind: 'table'; readonly head: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] };

export interface Cell {
  readonly children: readonly Inline[];
  readonly align?: 'left' | 'center' | 'right';
}

/** Emphasis within each other. The signs of what is deeper are text. */
const MOST_DEEP = 12;

/** Of a message that is shown exactly as it was written; null of one with formatting. */
export type Format = 'plain' | null;

/** Parses the formatting of a message; other text stays as it was written. */
export function readText(text: string, format?: Format): Block[] {
  if (format === 'plain')
    return text === '' ? [] : [{ kind: 'paragraph', children: readInline(piecesOf(text)) }];
  return readBlocks(new Tokens(tokensOf(text)));
}

/** The tokens of a text, in order. */
class Tokens {
  readonly #all: readonly Token[];
  #at = 0;

  constructor(all: readonly Token[]) {
    this.#all = all;
  }

  get next(): Token | undefined {
    return this.#all[this.#at];
  }

  take(): Token {
    return this.#all[this.#at++] as Token;
  }

  /** Reads up to the token that closes what was opened. */
  until<T>(close: string, read: () => T): T[] {
    const found: T[] = [];
    while (this.next && this.next.type !== close) found.push(read());
    this.take();
    return found;
  }
}

/** Up to the end, or to what closes the block that these stand in. Paragraphs keep the lines between them. */
function readBlocks(tokens: Tokens): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  while (tokens.next && tokens.next.nesting >= 0) {
    const [from = 0, to = 0] = tokens.next.map ?? [];
    const block = readBlock(tokens);
    const last = blocks.at(-1);
    if (block.kind === 'paragraph' && last?.kind === 'paragraph') {
      append(last.children as Inline[], [
        { kind: 'text', text: '\n'.repeat(from - end + 1) },
        ...block.children,
      ]);
    } else blocks.push(block);
    end = to;
  }
  return blocks;
}

function readBlock(tokens: Tokens): Block {
  const { type, tag, content, info } = tokens.take();
  switch (type) {
    case 'heading_open':
      return { kind: 'heading', level: Number(tag.slice(1)), children: readLine(tokens, 'heading_close') };
    case 'blockquote_open': {
      const blocks = readBlocks(tokens);
      tokens.take();
      return { kind: 'quote', blocks };
    }
    case 'fence': {
      const language = info.trim();
      return { kind: 'code', text: content.replace(/\n$/, ''), ...(language && { language }) };
    }
    case 'bullet_list_open':
    case 'ordered_list_open':
      return readList(tokens, type.replace('open', 'close'));
    case 'table_open':
      return readTable(tokens);
    default:
      return { kind: 'paragraph', children: readLine(tokens, 'paragraph_close') };
  }
}

const readLine = (tokens: Tokens, close: string): Inline[] =>
  joined(tokens.until(close, () => readInline(tokens.take().children ?? [])).flat());

function readList(tokens: Tokens, close: string): Block {
  const isNumbered = close === 'ordered_list_close';
  const items = tokens.until(close, () => {
    const written = Number(tokens.take().info);
    const item = readItem(readBlocks(tokens));
    tokens.take();
    return { ...item, ...(isNumbered && { number: written }) };
  });
  return { kind: 'list', isNumbered, items: isNumbered ? numbered(items) : items };
}

/** Numbers that rise stay as they were written; others, as three times 1, count on. */
function numbered(items: readonly Item[]): readonly Item[] {
  let before = -1;
  return items.map((item) => {
    before = Math.max(item.number as number, before + 1);
    return { ...item, number: before };
  });
}

const TASK = /^\[([ xX])\][ \t]+/;

function readItem(blocks: readonly Block[]): Item {
  const [first, ...rest] = blocks;
  if (first?.kind !== 'paragraph') return { blocks };
  const [beginning, ...others] = first.children;
  const task = beginning?.kind === 'text' ? TASK.exec(beginning.text) : null;
  if (!task || beginning?.kind !== 'text') return { blocks };
  const text = beginning.text.slice(task[0].length);
  const children: Inline[] = text === '' ? others : [{ kind: 'text', text }, ...others];
  if (children.length === 0) return { blocks };
  return { blocks: [{ kind: 'paragraph', children }, ...rest], checked: task[1] !== ' ' };
}

function readTable(tokens: Tokens): Block {
  const rows: Cell[][] = [];
  while (tokens.next?.type !== 'table_close') {
    if (tokens.take().type !== 'tr_open') continue;
    rows.push(
      tokens.until('tr_close', () => {
        const { type, attrs } = tokens.take();
        const align = /(left|center|right)$/.exec(String(attrs?.[0]?.[1] ?? ''))?.[1] as Cell['align'];
        return { children: readLine(tokens, type.replace('open', 'close')), ...(align && { align }) };
      }),
    );
  }
  tokens.take();
  const [head = [], ...others] = rows;
  return { kind: 'table', head, rows: others };
}

/** What was opened and not closed yet. */
interface Opened {
  readonly token: Token;
  readonly children: Inline[];
  /** Too deep: its signs are text. */
  readonly isFlat: boolean;
}

const EMPHASIS: Readonly<Record<string, 'strong' | 'em' | 'strike'>> = {
  strong: 'strong',
  em: 'em',
  s: 'strike',
};

function readInline(tokens: readonly Token[]): Inline[] {
  const all: Inline[] = [];
  const open: Opened[] = [];
  const here = () => open.at(-1)?.children ?? all;
  for (const token of tokens) {
    if (token.nesting > 0) {
      const isFlat = open.length >= MOST_DEEP && token.tag !== 'a';
      const children = isFlat ? here() : [];
      if (isFlat) children.push({ kind: 'text', text: token.markup });
      open.push({ token, children, isFlat });
    } else if (token.nesting < 0) {
      const closed = open.pop() as Opened;
      if (closed.isFlat) here().push({ kind: 'text', text: token.markup });
      else here().push(closedPiece(closed));
    } else here().push(leaf(token));
  }
  return joined(all);
}

function closedPiece({ token, children }: Opened): Inline {
  const kind = EMPHASIS[token.tag];
  if (kind) return { kind, children: joined(children) };
  const [url, title] = [String(token.attrGet('href')), String(token.attrGet('title') ?? '')];
  const host = token.info === 'named' ? hostBehind(url, children.map(textOf).join('')) : hostHidden(url);
  return { kind: 'link', url, children: joined(children), ...(title && { title }), ...(host && { host }) };
}

function leaf({ type, content, info }: Token): Inline {
  if (type === 'code_inline') return { kind: 'code', text: content };
  if (type === 'object') return { kind: 'object' };
  if (type === 'emoji') return { kind: 'emoji', text: content };
  if (type === 'mention') return { kind: type, text: content, ...(info !== content && { longest: info }) };
  return { kind: 'text', text: content };
}

/** The lines of blocks, none of them in code; those of quotes only if they are asked for. */
export function* linesOf(blocks: readonly Block[], hasQuotes = true): Generator<readonly Inline[]> {
  for (const block of blocks) {
    if ('children' in block) yield block.children;
    else if (block.kind === 'list') for (const item of block.items) yield* linesOf(item.blocks, hasQuotes);
    else if (block.kind === 'table')
      for (const row of [block.head, ...block.rows]) for (const { children } of row) yield children;
    else if (block.kind === 'quote' && hasQuotes) yield* linesOf(block.blocks);
  }
}

/** The characters of a piece. */
export function textOf(piece: Inline): string {
  if (piece.kind === 'object') return '';
  return 'children' in piece ? piece.children.map(textOf).join('') : piece.text;
}

const joined = (pieces: readonly Inline[]): Inline[] => append([], pieces);

/** Adds pieces to those before, with one piece of text for neighbours and none for empty ones. */
function append(before: Inline[], pieces: readonly Inline[]): Inline[] {
  for (const piece of pieces) {
    const last = before.at(-1);
    if (piece.kind !== 'text') before.push(piece);
    else if (last?.kind === 'text')
      before[before.length - 1] = { kind: 'text', text: last.text + piece.text };
    else if (piece.text !== '') before.push(piece);
  }
  return before;
}
