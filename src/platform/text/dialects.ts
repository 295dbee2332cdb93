import { readMrkdwn, type Token } from './mrkdwn.ts';
import { linkPiece, type Piece } from './named-link.ts';

/**
 * How a sender means its signs: in Slack’s formatting `*` is strong, `_` is emphasis and `~` is struck; in Markdown they
 * are ours already. Of Slack’s, links and headings of Markdown are read besides, as Mattermost does.
 */
export type Dialect = 'slack' | 'markdown' | 'discord';

/** Slack’s signs of emphasis as ours. */
const SIGNS = { '*': '**', _: '*', '~': '~~' } as const;

/** The HTML that some products put into their texts, as text. Other tags stay: they may be meant. */
export function htmlText(text: string): string {
  if (!/<\/?[a-z]|&nbsp;/i.test(text)) return text;
  return text
    .replaceAll(/<br ?\/?>|<\/(?:p|li|div|h[1-6]|tr)>/gi, '\n')
    .replaceAll(
      /<a href="(https?:[^"<>]*)"[^<>]*>([^<>]*)<\/a>/gi,
      (_, url: string, label: string) => linkPiece(label, url).text,
    )
    .replaceAll(
      /<\/?(?:at|b|i|u|s|p|ul|ol|strong|em|div|span|font|code|pre|table|tbody|td|th|tr|h[1-6])(?: [^<>]*)?>/gi,
      '',
    )
    .replaceAll(/<li(?: [^<>]*)?>/gi, '- ')
    .replaceAll(/&nbsp;/gi, ' ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** A text without formatting: the names of emoji alone mean something. */
export const withEmoji = (text: string): string =>
  text.includes(':')
    ? readMrkdwn(text)
        .map((token) => (token.kind === 'emoji' ? token.text : token.raw))
        .join('')
    : text;

/** @returns a text of another dialect in our formatting */
export function asMarkdown(text: string, style: Dialect): string {
  const lines: string[] = [];
  let line: Token[] = [];
  const isBlank = () => line.every(({ raw }) => raw.trim() === '');
  // A fence stands on lines of its own, however it was sent.
  let isAfterFence = false;
  const end = () => {
    if (!isAfterFence || !isBlank()) lines.push(formatLine(line, style));
    line = [];
    isAfterFence = false;
  };
  const tokens = readMrkdwn(text.replaceAll(/\r\n?/g, '\n'));
  for (const token of style === 'discord' ? unspoiled(tokens) : tokens)
    if (token.kind === 'break') end();
    else if (token.kind === 'fence') {
      if (!isBlank()) end();
      line = [];
      lines.push(`\`\`\`${token.name}\n${decode(token.text, style)}\n\`\`\``);
      isAfterFence = true;
    } else line.push(token);
  end();
  return (style === 'markdown' ? lines : quotedRest(lines)).join('\n');
}

/** Three signs of a quote begin one that goes on to the end. */
function quotedRest(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line.startsWith('>>>'));
  if (start < 0) return lines;
  const quoted = lines.slice(start).join('\n').slice('>>>'.length).trimStart().split('\n');
  return [...lines.slice(0, start), ...quoted.map((line) => `> ${line}`)];
}

/** What Discord shows in small letters. */
const SMALL = /^((?:>[ \t]*)?)-#[ \t]+/;
const HEADING = /^()#{1,6}[ \t]+/;

function formatLine(given: readonly Token[], style: Dialect): string {
  const isSmall = style === 'discord' && given[0]?.kind === 'text' && SMALL.test(given[0].text);
  const tokens = isSmall ? withoutBeginning(given, SMALL) : given;
  if (tokens[0]?.kind === 'text' && HEADING.test(tokens[0].text)) {
    const title = withoutBeginning(tokens, HEADING).map((token) => pieceOf(token, style));
    const named = strong(withoutHashes(touching(title).trimEnd()));
    if (named !== '') return named;
  }
  return touching(style === 'slack' ? emphasized(tokens) : tokens.map((token) => pieceOf(token, style)));
}

/** @param pattern what is left out at the beginning, but for what it captures */
function withoutBeginning(tokens: readonly Token[], pattern: RegExp): readonly Token[] {
  const [first] = tokens;
  if (first?.kind !== 'text') return tokens;
  return tokens.with(0, { ...first, text: first.text.replace(pattern, '$1') });
}

/** The marks at the end of a heading belong to it as well. */
function withoutHashes(line: string): string {
  let end = line.length;
  while (line[end - 1] === '#') end--;
  return line.slice(0, end);
}

/** Each mark that ends emphasis belongs to the last one of its kind that begins some. */
function emphasized(tokens: readonly Token[]): Piece[] {
  const pieces = tokens.map((token) => pieceOf(token, 'slack'));
  const open = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'mark') continue;
    const from = token.closes ? open.get(token.text) : undefined;
    if (from !== undefined && from < at - 1) {
      const ours: Piece = { text: SIGNS[token.text], is: 'text' };
      pieces[from] = ours;
      pieces[at] = ours;
      for (const [sign, place] of open) if (place >= from) open.delete(sign);
    } else if (token.opens) open.set(token.text, at);
  }
  return pieces;
}

function pieceOf(token: Token, style: Dialect): Piece {
  switch (token.kind) {
    case 'link':
      return linkPiece(withEmoji(decode(token.label, style)), decode(token.url, style), style !== 'slack');
    case 'url':
      return { text: decode(token.text, style), is: 'address' };
    case 'reference':
      return { text: decode(nameOf(token), style), is: 'text' };
    case 'code':
      return { text: `\`${decode(token.text, style)}\``, is: 'text' };
    case 'emoji':
      return { text: token.text, is: 'text' };
    default: {
      const text = decode('text' in token ? token.text : token.raw, style);
      return { text: style === 'discord' && /[<@]/.test(text) ? ofDiscord(text) : text, is: 'text' };
    }
  }
}

/** Of a text that is strong as a whole. */
export const strong = (text: string): string =>
  text === ''
    ? ''
    : `**${text
        .replaceAll(/\\?\*+/g, '')
        .replaceAll('\n', ' ')
        .trim()}**`;

/** All who are called, as in `<!here>`, are the team. */
const ALL = new Set(['here', 'channel', 'everyone', 'group', 'all']);

function nameOf({ sign, id, label }: Extract<Token, { kind: 'reference' }>): string {
  if (sign === '!' && ALL.has(id)) return '@team';
  if (sign === '#') return `#${(label || id).replace(/^#/, '')}`;
  return label || `@${id.replace(/^subteam\^/, '')}`;
}

/** At the end of a word it is no part of an address. */
const PUNCTUATION = /^[.,;:!?'"»)\]}*_]+(?=\s|$)/;

/** Puts pieces together that stand side by side, so that none becomes part of an address before it. */
export function touching(pieces: readonly Piece[]): string {
  const written: string[] = [];
  let last = '';
  let before: Piece['is'] = 'text';
  for (const piece of pieces) {
    if (piece.text === '') continue;
    const areLinks = before !== 'text' && piece.is !== 'text';
    const joins = before === 'address' && !/^[\s<>"]/.test(piece.text) && !PUNCTUATION.test(piece.text);
    // A backslash before a link would take its bracket for text.
    const ends = piece.is === 'link' && last.endsWith('\\');
    written.push(areLinks || joins || ends ? ` ${piece.text}` : piece.text);
    last = piece.text;
    before = piece.is;
  }
  return written.join('');
}

/** Discord hides a text between two bars until it is asked for. It is shown here, without the signs. */
function unspoiled(tokens: readonly Token[]): readonly Token[] {
  const gone = new Set<string>();
  let open: { readonly at: number; readonly index: number } | undefined;
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'text' || !token.text.includes('||')) continue;
    for (const { index } of token.text.matchAll(/\|\|/g)) {
      const isEmpty = open?.at === at && token.text.slice(open.index + 2, index).trim() === '';
      if (open && !isEmpty) {
        gone.add(`${open.at} ${open.index}`).add(`${at} ${index}`);
        open = undefined;
      } else open = { at, index };
    }
  }
  if (gone.size === 0) return tokens;
  return tokens.map((token, at) =>
    token.kind === 'text'
      ? {
          ...token,
          text: token.text.replaceAll('||', (sign, index) => (gone.has(`${at} ${index}`) ? '' : sign)),
        }
      : token,
  );
}

/** https://docs.discord.com/developers/reference#message-formatting */
const ofDiscord = (text: string): string =>
  text
    .replaceAll(/<a?(:\w{1,64}:)\d{1,24}>/g, '$1')
    .replaceAll(/<t:(\d{1,11})(?::[a-zA-Z])?>/g, (_, seconds: string) =>
      new Date(Number(seconds) * 1000)
        .toISOString()
        .replace(/:\d\d\.000Z$/, ' UTC')
        .replace('T', ' '),
    )
    .replaceAll(/<(?:@[!&]?|#)(\d{1,24})>/g, '@$1')
    .replaceAll(/(?<![\w.@+/-])@(?:everyone|here)(?!\w)/g, '@team');

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

const decode = (text: string, style: Dialect): string =>
  style !== 'slack' || !text.includes('&')
    ? text
    : text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
