import { NAME_CALLED } from './mentions.ts';

/** A piece of a line. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'link' | 'mention'; readonly text: string }
  /** Between colons: perhaps an emoji of the server. `text` has no colons. */
  | { readonly kind: 'emoji'; readonly text: string }
  | { readonly kind: 'strong' | 'em'; readonly children: readonly Inline[] }
  /** Where the text mentions a thing of an application. */
  | { readonly kind: 'object' };

export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  /** `start` is the first number of a numbered list. */
  | {
      readonly kind: 'list';
      readonly start: number | undefined;
      readonly items: readonly (readonly Inline[])[];
    };

const FENCE = /^```/;
const ITEM = /^(?:[-*•]|(\d{1,9})[.)])\s+(\S.*)$/;

/** Parses the light formatting of a message; other text stays as it was written. */
export function readText(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  const endOf = endOfBlocks(lines);
  for (let at = 0; at < lines.length; ) {
    const end = endOf(at);
    const block = readBlock(lines.slice(at, end));
    if (block) blocks.push(block);
    at = end;
  }
  return blocks;
}

/** @returns what gives the line after the block that begins at one; each line is looked at a few times, however many there are */
function endOfBlocks(lines: readonly string[]): (from: number) => number {
  const fits = (line: number, form: RegExp) => form.test(lines[line] ?? '');
  const lastFence = lines.findLastIndex((line) => FENCE.test(line));
  // A fence that is never closed is text.
  const opensCode = (line: number) => line < lastFence && fits(line, FENCE);
  const next = (from: number, isEnd: (line: number) => boolean) => {
    let line = from + 1;
    while (line < lines.length && !isEnd(line)) line += 1;
    return line;
  };
  return (from) => {
    if (opensCode(from)) return next(from, (line) => fits(line, FENCE)) + 1;
    if (fits(from, ITEM)) return next(from, (line) => !fits(line, ITEM));
    return next(from, (line) => fits(line, ITEM) || opensCode(line));
  };
}

function readBlock(lines: readonly string[]): Block | undefined {
  const [first = ''] = lines;
  if (FENCE.test(first) && lines.length > 1 && FENCE.test(lines.at(-1) ?? ''))
    return { kind: 'code', text: lines.slice(1, -1).join('\n') };
  const item = ITEM.exec(first);
  if (item) {
    const items = lines.map((line) => readInline(ITEM.exec(line)?.[2] ?? line));
    return { kind: 'list', start: item[1] === undefined ? undefined : Number(item[1]), items };
  }
  // The row at the end is looked at from its beginning alone, and not again from each line break in it.
  const text = lines.join('\n').replace(/^\n+|(?<!\n)\n+$/g, '');
  return text === '' ? undefined : { kind: 'paragraph', children: readInline(text) };
}

/** Punctuation of Chinese, Japanese and Korean, which no address has and no space follows. */
const WIDE = '\\u3000-\\u303f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65';

/**
 * The name of an emoji ends before letters, digits and colons, and begins after none: `10:30:00`, `2001:db8:beef::1` and
 * `std::party::x` have no emoji.
 */
const EMOJI = '(?<![\\p{L}\\p{N}:]):(?<emoji>[a-z0-9_+-]{2,32}):(?![\\p{L}\\p{N}:])';

/** Finds the same names as the server does for its mails. */
const PIECES = new RegExp(
  [
    '`(?<code>[^`\\n]+)`',
    '\\*\\*(?=\\S)(?<strong>[^*\\n]+)(?<=\\S)\\*\\*',
    '(?<![\\w*])\\*(?=\\S)(?<em>[^*\\n]+)(?<=\\S)\\*(?![\\w*])',
    `(?<link>https?://[^\\s<>"${WIDE}]+)`,
    NAME_CALLED,
    '(?<object>\\{0\\})',
    EMOJI,
  ].join('|'),
  'gu',
);

export function readInline(text: string): Inline[] {
  const pieces: Inline[] = [];
  let done = 0;
  const plain = (to: number) => {
    if (to > done) pieces.push({ kind: 'text', text: text.slice(done, to) });
  };
  for (const match of text.matchAll(PIECES)) {
    const [piece, length] = readPiece(match);
    plain(match.index);
    pieces.push(piece);
    done = match.index + length;
  }
  plain(text.length);
  return pieces;
}

/** @returns the piece, and how many characters it takes */
function readPiece(match: RegExpExecArray): [Inline, number] {
  const { code, strong, em, link, mention, emoji } = match.groups as Record<string, string | undefined>;
  const { length } = match[0];
  if (code !== undefined) return [{ kind: 'code', text: code }, length];
  if (strong !== undefined) return [{ kind: 'strong', children: readInline(strong) }, length];
  if (em !== undefined) return [{ kind: 'em', children: readInline(em) }, length];
  if (link !== undefined) {
    const url = withoutEnd(link);
    return [{ kind: isLinked(url) ? 'link' : 'text', text: url }, url.length];
  }
  if (mention !== undefined) {
    const name = mention.replace(/(?<![._-])[._-]+$/, '');
    return [{ kind: 'mention', text: name }, name.length + 1];
  }
  if (emoji !== undefined) return [{ kind: 'emoji', text: emoji }, length];
  return [{ kind: 'object' }, length];
}

/** User information before an @ poses as the host: `https://bank.example:login@evil.example`. */
function isLinked(url: string): boolean {
  const { username, password } = URL.parse(url) ?? { username: 'unreadable' };
  return username === '' && password === '';
}

/** Drops trailing punctuation from a URL; keeps a closing bracket that was opened inside it. */
export function withoutEnd(link: string): string {
  const opened = link.split('(').length;
  let closed = link.split(')').length;
  let end = link.length;
  for (; end > 0; end -= 1) {
    const last = link[end - 1] as string;
    if (last === ')' && opened >= closed) break;
    if (!/[.,;:!?'"»”’)\]}*]/.test(last)) break;
    if (last === ')') closed -= 1;
  }
  return link.slice(0, end);
}

/** @returns the URL if it is safe to link to */
export function safeUrl(url: string): string | undefined {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined;
}
