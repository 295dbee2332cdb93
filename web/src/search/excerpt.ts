import { plainText } from '#platform/text/plain-text.ts';
import { REPEATED } from '#platform/text/repetition.ts';
import type { Message } from '../api/types.ts';
import { repetitionIn } from '../members/state/references.ts';
import type { Snippet } from './queries.ts';

/** Enclose a hit while the formatting is read. Unicode leaves these characters to programs (23.7, Noncharacters). */
const START = '\ufdd0';
const END = '\ufdd1';
const BEFORE = 60;
const LONGEST = 200;

/** What a result of the search shows of a message: its text as it reads, around the first hit. */
export function excerpt(
  {
    text,
    format,
    mentions,
  }: {
    readonly text: string;
    readonly format?: Message['format'];
    readonly mentions: readonly Pick<Message['mentions'][number], 'name'>[];
  },
  snippet: Snippet = [],
): Snippet {
  const marked = withHits(text, snippet);
  const end = repetitionIn({ text, format }) ? marked.lastIndexOf(`\n${REPEATED}`) : -1;
  const plain = plainText(end === -1 ? marked : marked.slice(0, end), mentions[0]?.name, format);
  const [lead = '', ...rest] = plain.split(START);
  const pieces = rest.flatMap((part) => {
    const [hit = '', ...after] = part.split(END);
    return [{ text: hit, match: true }, ...plainPiece(after.join(''))];
  });
  return cut([...plainPiece(pieces.length === 0 ? lead : shortened(lead)), ...pieces]);
}

/** The whole text: formatting may begin before, or end after, the part that the server shows. */
function withHits(text: string, snippet: Snippet): string {
  const pieces = snippet.map((piece) => ({ ...piece, text: withoutSigns(piece.text) }));
  const whole = withoutSigns(text);
  const part = pieces.map((piece) => piece.text).join('');
  const marked = pieces.map((piece) => (piece.match ? START + piece.text + END : piece.text)).join('');
  if (part === '') return whole;
  const at = whole.indexOf(part);
  return at === -1 ? marked : whole.slice(0, at) + marked + whole.slice(at + part.length);
}

const withoutSigns = (text: string) => text.replaceAll(/[\ufdd0\ufdd1]/g, '\ufffd');
const plainPiece = (text: string): Snippet => (text === '' ? [] : [{ text, match: false }]);

/** The end of what stands before the first hit. */
function shortened(text: string): string {
  if (text.length <= BEFORE) return text;
  const end = text.slice(-BEFORE);
  const word = end.search(/\s\S/);
  return `…${word === -1 ? end.replace(/^[\udc00-\udfff]/, '') : end.slice(word + 1)}`;
}

function cut(pieces: Snippet): Snippet {
  const kept: Snippet = [];
  let left = LONGEST;
  for (const { text, match } of pieces) {
    if (text.length > left) {
      kept.push({ text: `${text.slice(0, left).replace(/[\ud800-\udbff]$/, '')}…`, match });
      break;
    }
    kept.push({ text, match });
    left -= text.length;
  }
  return kept;
}
