import { Parser } from 'htmlparser2';
import { cleanLine, shorten } from '#platform/text/index.ts';

/** What the head of a page says of it. */
export interface Head {
  readonly title: string;
  readonly text: string;
  readonly site: string;
  /** Of a picture, as the page writes it: perhaps relative to the page. */
  readonly picture: string | undefined;
}

export const MAX_TITLE = 200;
export const MAX_DESCRIPTION = 300;
export const MAX_SITE = 100;
/** What is parsed of a page, in characters, without scripts and styles. */
export const PARSED = 128 * 1024;
const PIECE = 8192;
/** No head has as many elements within each other. What is not closed makes the parser slow. */
const MOST_OPEN = 40;
const MOST_ELEMENTS = 2000;
/** A value that is longer is cut before anything else is done with it. */
const READ_FOR_EACH = 4;

const TITLES = ['og:title', 'twitter:title'];
const TEXTS = ['og:description', 'twitter:description', 'description'];
const PICTURES = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'];

/** @returns what the head of a page says of it; undefined where that is nothing */
export function readHead(html: string): Head | undefined {
  const { named, title } = parseHead(withoutScripts(html).slice(0, PARSED));
  const line = (names: readonly string[], characters: number, otherwise = '') =>
    names
      .map((name) => oneLine(named.get(name) ?? '', characters))
      .concat(oneLine(otherwise, characters))
      .find((text) => text !== '') ?? '';
  const shown = line(TITLES, MAX_TITLE, title);
  if (shown === '') return undefined;
  return {
    title: shown,
    text: line(TEXTS, MAX_DESCRIPTION),
    site: line(['og:site_name', 'application-name'], MAX_SITE),
    picture: PICTURES.map((name) => named.get(name)).find((address) => address !== undefined),
  };
}

/** As a name of the product is kept: without what is not seen, or turns the text around it. */
const oneLine = (text: string, characters: number) =>
  shorten(cleanLine(text.slice(0, READ_FOR_EACH * characters)), characters);

/** Reads up to the body. Of a name that is there twice, the first counts. */
function parseHead(html: string): { named: ReadonlyMap<string, string>; title: string } {
  const named = new Map<string, string>();
  let title = '';
  let isTitle = false;
  let over = false;
  let elements = 0;
  let open = 0;
  const parser = new Parser(
    {
      onopentag(name, { property, name: called, content }) {
        elements += 1;
        open += 1;
        if (name === 'body' || open > MOST_OPEN || elements > MOST_ELEMENTS) over = true;
        if (over) return;
        isTitle = name === 'title' && title === '';
        const key = (property ?? called)?.trim().toLowerCase();
        if (name !== 'meta' || key === undefined || content === undefined) return;
        if (content.trim() !== '' && !named.has(key)) named.set(key, content);
      },
      ontext(text) {
        if (isTitle && !over && title.length < READ_FOR_EACH * MAX_TITLE) title += text;
      },
      onclosetag(name) {
        open -= 1;
        if (name === 'title') isTitle = false;
        if (name === 'head') over = true;
      },
    },
    { lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: true },
  );
  for (let at = 0; at < html.length && !over; at += PIECE) parser.write(html.slice(at, at + PIECE));
  return { named, title };
}

const OPENING = /<(script|style)\b/gi;

/** Cuts out what is long in many heads and says nothing of the page, in one walk. */
function withoutScripts(html: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    OPENING.lastIndex = from;
    const found = OPENING.exec(html);
    if (!found) break;
    const closing = found[1]?.toLowerCase() === 'script' ? /<\/script/gi : /<\/style/gi;
    closing.lastIndex = OPENING.lastIndex;
    kept.push(html.slice(from, found.index));
    // Without an end, all the rest belongs to it.
    if (!closing.exec(html)) return kept.join('');
    const end = html.indexOf('>', closing.lastIndex);
    if (end === -1) return kept.join('');
    from = end + 1;
  }
  return kept.join('') + html.slice(from);
}

const CHARSET_BYTES = 2048;

/** @param contentType of the answer @returns the text of a page, by what the answer or the page says of its characters */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, CHARSET_BYTES)).toString('latin1');
  const label = markOf(bytes) ?? charsetIn(contentType) ?? charsetIn(start);
  return decoderFor(label).decode(bytes, { stream: true });
}

const charsetIn = (text: string) => /charset\s{0,9}=\s{0,9}["']?([\w:-]{1,40})/i.exec(text)?.[1];

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** An unknown name is that of no text: most pages are UTF-8. */
function decoderFor(label = 'utf-8') {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
