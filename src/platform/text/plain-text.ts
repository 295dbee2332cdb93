import { type Block, type Format, type Inline, type Item, readText, textOf } from './formatting.ts';
import { withoutRepetition } from './repetition.ts';

/** @returns a message's text as it reads, without the signs of its formatting. @param object what `{0}` stands for */
export const plainText = (text: string, object = '{0}', format?: Format): string =>
  plainBlocks(readText(text, format), object);

/** Of a text, so many times the characters of an excerpt are read: signs of formatting and blanks are not shown. */
const READ_FOR_EACH = 4;

/** Characters of an excerpt in a row of the inbox. */
export const ROW_EXCERPT = 200;

/**
 * @returns the beginning of the same, of so many characters at the most; the rest of the text is not read. The copy of a reply
 * is its words
 */
export function plainExcerpt(text: string, characters: number, object?: string, format?: Format): string {
  const words = format === 'plain' ? text.trim() : withoutRepetition(text.trim());
  const beginning = shorten(words, READ_FOR_EACH * characters);
  return shorten(plainText(beginning, object, format).trim(), characters);
}

/** Cuts after so many characters, never through one. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, characters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const plainBlocks = (blocks: readonly Block[], object: string): string =>
  blocks.map((block) => plainBlock(block, object)).join('\n');

function plainBlock(block: Block, object: string): string {
  switch (block.kind) {
    case 'code':
      return plainCode(block);
    case 'paragraph':
    case 'heading':
      return plain(block.children, object);
    case 'quote':
      return indented(plainBlocks(block.blocks, object), '> ', '> ');
    case 'list':
      return block.items.map((item) => plainItem(item, object)).join('\n');
    case 'table':
      return [block.head, ...block.rows]
        .map((row) => row.map(({ children }) => plain(children, object)).join(' | '))
        .join('\n');
  }
}

const LANGUAGE = /^[\w+#.-]{0,30}$/;

/** One word behind the opening signs is a language; an address, a sentence or another script is a text. */
const plainCode = ({ text, language = '' }: Block & { kind: 'code' }) =>
  LANGUAGE.test(language) ? text : `${language}\n${text}`;

function plainItem({ blocks, number, checked }: Item, object: string): string {
  const task = checked ? '☑' : '☐';
  const sign = checked === undefined ? (number === undefined ? '•' : `${number}.`) : task;
  return indented(plainBlocks(blocks, object), `${sign} `, '  ');
}

/** They are not always written. */
const SCHEMES = ['https://', 'mailto:'];

const indented = (text: string, first: string, others: string) =>
  text
    .split('\n')
    .map((line, at) => (at === 0 ? first : others) + line)
    .join('\n');

const plain = (pieces: readonly Inline[], object: string): string =>
  pieces.map((piece) => plainPiece(piece, object)).join('');

function plainPiece(piece: Inline, object: string): string {
  switch (piece.kind) {
    case 'strong':
    case 'em':
      return plain(piece.children, object);
    // Without its signs it would say the opposite.
    case 'strike':
      return `~~${plain(piece.children, object)}~~`;
    case 'link': {
      const shown = plain(piece.children, object);
      const isWritten = [...SCHEMES, ''].some((scheme) => piece.url === scheme + textOf(piece));
      return isWritten ? shown : `${shown} (${piece.url})`;
    }
    case 'mention':
      return `@${piece.text}`;
    case 'emoji':
      return `:${piece.text}:`;
    case 'object':
      return object;
    default:
      return piece.text;
  }
}
