import MarkdownItParser, { type Token } from 'markdown-it';
import { addBlockRules, type Env } from './block-rules.ts';
import { addInlineRules, addPieces } from './inline-rules.ts';

/**
 * The rules that a message has, by name: no HTML, pictures, entities, definitions, underlined headings, rules or indented
 * code. Nesting is bounded by the rules themselves, since what is deeper than `maxNesting` would be lost.
 */
const parser = new MarkdownItParser('zero', { maxNesting: 100 });
addBlockRules(parser);
addInlineRules(parser);

/** A text that is shown as it was written: it has addresses and names alone. */
const plainParser = new MarkdownItParser('zero');
addPieces(plainParser);

export type { Token };

/** The tokens of a line, in which all line breaks are kept. */
export const piecesOf = (text: string): readonly Token[] =>
  plainParser.parseInline(text, {}).flatMap(({ children }) => children ?? []);

export function tokensOf(text: string): Token[] {
  const env: Env = { depth: 0, noTableBefore: 0, noQuoteBefore: 0, place: 0, places: 0, unclosed: new Map() };
  return parser.parse(text, env as unknown as Record<string, unknown>);
}
