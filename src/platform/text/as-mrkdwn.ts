import { asMarkdown, withEmoji } from './dialects.ts';
import { type Inline, readText } from './formatting.ts';
import { plainText } from './plain-text.ts';

/**
 * @returns lines of our formatting in Slack’s; undefined for a text that Slack’s formatting cannot say: with blocks such as
 * lists or code, or with signs that would mean something there
 */
export function asMrkdwn(text: string): string | undefined {
  const [first, ...others] = readText(text);
  if (first?.kind !== 'paragraph' || others.length > 0) return undefined;
  const written = first.children.map(pieceOf).join('');
  const isSame = plainText(asMarkdown(written, 'slack')) === withEmoji(plainText(text));
  return isSame ? written : undefined;
}

const SIGNS = { strong: '*', em: '_', strike: '~' } as const;

function pieceOf(piece: Inline): string {
  switch (piece.kind) {
    case 'strong':
    case 'em':
    case 'strike':
      return `${SIGNS[piece.kind]}${piece.children.map(pieceOf).join('')}${SIGNS[piece.kind]}`;
    case 'link':
      return `<${piece.url.replaceAll('|', '%7C')}|${piece.children.map(pieceOf).join('')}>`;
    case 'code':
      return `\`${escaped(piece.text)}\``;
    case 'mention':
      return `@${piece.text}`;
    case 'emoji':
      return `:${piece.text}:`;
    case 'object':
      return '{0}';
    case 'text':
      return escaped(piece.text);
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
