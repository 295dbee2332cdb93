import { withoutEnd } from './address.ts';
import { emojiOf } from './emoji-by-name.ts';

/** What all tokens have. */
interface Written {
  /** As it was written: together they are the text. */
  readonly raw: string;
}

/** A piece of a text in Slack’s formatting, or in the Markdown that its relatives take besides. */
export type Token = Written &
  (
    | {
        readonly kind: 'fence';
        readonly text: string;
        /** What a fence says of its language. */
        readonly name: string;
      }
    | { readonly kind: 'code' | 'url' | 'emoji' | 'text'; readonly text: string }
    | { readonly kind: 'link'; readonly url: string; readonly label: string }
    /** A user (`@`), a channel (`#`), or a group, all or a time (`!`). */
    | { readonly kind: 'reference'; readonly sign: string; readonly id: string; readonly label: string }
    /** A single `*`, `_` or `~`, and whether emphasis can begin or end there. */
    | {
        readonly kind: 'mark';
        readonly text: '*' | '_' | '~';
        readonly opens: boolean;
        readonly closes: boolean;
      }
    | { readonly kind: 'break' }
  );

/**
 * Splits a text into its tokens. What is in code or in an address is no other token. Each place is looked at a few times, so that the
 * time grows with the text alone.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function readMrkdwn(text: string): Token[] {
  const tokens: Token[] = [];
  const lastFence = text.lastIndexOf('```');
  const next = nextPlaces(text);
  let done = 0;
  const addText = (to: number) => {
    if (to === done) return;
    const raw = text.slice(done, to);
    tokens.push({ kind: 'text', text: raw, raw });
  };
  for (let at = 0; at < text.length; ) {
    const found = tokenAt(text, at, next, at < lastFence, at > 0 && at === done);
    if (!found) {
      at += 1;
      continue;
    }
    addText(at);
    tokens.push(found);
    at += found.raw.length;
    done = at;
  }
  addText(text.length);
  return tokens;
}

type NextPlace = (sign: string, from: number) => number;

/** Finds the next place of a sign. Each of a row of signs that end nothing would look as far as the first. */
function nextPlaces(text: string): NextPlace {
  const known = new Map<string, number>();
  return (sign, from) => {
    const last = known.get(sign);
    if (last !== undefined && last >= from) return last;
    const found = text.indexOf(sign, from);
    const place = found < 0 ? Number.POSITIVE_INFINITY : found;
    known.set(sign, place);
    return place;
  };
}

function tokenAt(
  text: string,
  at: number,
  next: NextPlace,
  canFence: boolean,
  isAfterToken: boolean,
): Token | undefined {
  switch (text[at]) {
    case '\n':
      return { kind: 'break', raw: '\n' };
    case '`':
      return (canFence ? fenceAt(text, at) : undefined) ?? codeAt(text, at, next);
    case '<':
      return angleAt(text, at, next);
    case '!':
    case '[':
      return markdownLinkAt(text, at);
    case 'h':
      return urlAt(text, at);
    case ':':
      return emojiAt(text, at, isAfterToken);
    case '*':
    case '_':
    case '~':
      return markAt(text, at);
    default:
      return undefined;
  }
}

function fenceAt(text: string, at: number): Token | undefined {
  if (!text.startsWith('```', at)) return undefined;
  const end = text.indexOf('```', at + 3);
  if (end <= at + 3) return undefined;
  const inner = text.slice(at + 3, end);
  // Slack knows no languages: what stands beside the signs is code, unless both are on lines of their own.
  const name = inner.endsWith('\n') ? (/^[\w+#.-]{1,30}(?=\n)/.exec(inner)?.[0] ?? '') : '';
  const code = inner.slice(name.length).replace(/^\n|\n$/g, '');
  return { kind: 'fence', text: code, name, raw: text.slice(at, end + 3) };
}

function codeAt(text: string, at: number, next: NextPlace): Token | undefined {
  if (text[at + 1] === '`') return undefined;
  const end = next('`', at + 1);
  if (end === Number.POSITIVE_INFINITY || end > next('\n', at)) return undefined;
  return { kind: 'code', text: text.slice(at + 1, end), raw: text.slice(at, end + 1) };
}

/** `<!date^…>` holds blanks. A comment of HTML is no reference. */
const REFERENCE = /^(?:[@#][\w.-]*|![a-z]+(?:\^[^\n]*)?)$/;

/** `<address|label>`, and what is referred to in the same way. */
function angleAt(text: string, at: number, next: NextPlace): Token | undefined {
  const end = next('>', at);
  if (end > next('<', at + 1) || end === Number.POSITIVE_INFINITY) return undefined;
  const bar = next('|', at);
  const target = text.slice(at + 1, Math.min(bar, end));
  const label = bar < end ? text.slice(bar + 1, end).trim() : '';
  const sign = target[0] ?? '';
  const raw = text.slice(at, end + 1);
  if (REFERENCE.test(target) && target + label !== sign)
    return { kind: 'reference', sign, id: target.slice(1), label, raw };
  if (!/^(?:https?:\/\/|mailto:|tel:)[^\s]+$/.test(target)) return undefined;
  return { kind: 'link', url: target, label, raw };
}

const LABEL = /!?\[([^[\]\n]*)\]\(/y;
const TARGET =
  /(https?:\/\/[^[\s()<>]+(?:\([^[\s()<>]*\)[^[\s()<>]*)?)(?:[ \t]+(?:"[^"\n[]*"|'[^'\n[]*'))?[ \t]*\)/y;

/** `[label](address "title")`, or a picture. */
function markdownLinkAt(text: string, at: number): Token | undefined {
  LABEL.lastIndex = at;
  const label = LABEL.exec(text);
  if (!label) return undefined;
  TARGET.lastIndex = LABEL.lastIndex;
  const target = TARGET.exec(text);
  if (!target) return undefined;
  const raw = text.slice(at, TARGET.lastIndex);
  return { kind: 'link', url: target[1] ?? '', label: (label[1] ?? '').trim(), raw };
}

/** Slack writes `<` and `>` as entities. */
const URL_AT = /https?:\/\/(?:(?!&[lg]t;)[^\s<>"`|])+/y;

function urlAt(text: string, at: number): Token | undefined {
  URL_AT.lastIndex = at;
  const found = URL_AT.exec(text)?.[0];
  if (found === undefined) return undefined;
  let url = withoutEnd(found);
  // The sign of emphasis that begins before the address ends after it.
  const before = text[at - 1];
  if (url.endsWith('_') && before === '_') url = url.slice(0, -1);
  return { kind: 'url', text: url, raw: url };
}

const EMOJI_AT = /:([a-z0-9_+'-]{1,60}):(?![A-Za-z0-9])/y;

/** Neither a part of a word, an address of IPv6 or a time, nor a name that nobody knows; but one may follow another. */
function emojiAt(text: string, at: number, isAfterToken: boolean): Token | undefined {
  const before = text[at - 1] ?? ' ';
  if (/[A-Za-z0-9]/.test(before) || (before === ':' && !isAfterToken)) return undefined;
  EMOJI_AT.lastIndex = at;
  const found = EMOJI_AT.exec(text);
  const emoji = emojiOf(found?.[1] ?? '');
  if (!found || emoji === undefined) return undefined;
  return { kind: 'emoji', text: emoji, raw: found[0] };
}

/** A row of the same sign, as `**`, is text: Markdown that stays as it is. */
function markAt(text: string, at: number): Token | undefined {
  const sign = text[at] as '*' | '_' | '~';
  let end = at + 1;
  while (text[end] === sign) end++;
  if (end > at + 1) {
    const raw = text.slice(at, end);
    return { kind: 'text', text: raw, raw };
  }
  const before = text[at - 1] ?? ' ';
  const after = text[end] ?? ' ';
  const opens = !isOfWord(before) && !/\s/.test(after);
  const closes = !/\s/.test(before) && !isOfWord(after);
  return { kind: 'mark', text: sign, opens, closes, raw: sign };
}

/** Scripts without blanks between words have emphasis within their rows. */
const isOfWord = (sign: string) =>
  /[\p{L}\p{N}]/u.test(sign) &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(sign);
