import type { Block, Inline } from '#platform/text/formatting.ts';

/** More of them are a text. */
const MOST = 12;
/** Characters that may stand for them: an emoji has up to a dozen code points. */
const LONGEST = 300;

const letters = new Intl.Segmenter();
/** A digit alone is a component, too: a keycap ends with U+20E3. */
const EMOJI =
  /^(?=.*(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3))(?:\p{Extended_Pictographic}|\p{Emoji_Component})+$/u;

/** @returns whether a text is a few emoji and nothing else: they are shown larger */
export function isEmojiAlone(blocks: readonly Block[]): boolean {
  const [block] = blocks;
  if (blocks.length !== 1 || block?.kind !== 'paragraph') return false;
  const signs = block.children.flatMap(signsOf);
  return signs.length > 0 && signs.length <= MOST && signs.every((sign) => sign !== undefined);
}

/** The emoji of a piece; undefined in place of anything else. */
function signsOf(piece: Inline): (string | undefined)[] {
  if (piece.kind === 'emoji') return [piece.text];
  if (piece.kind !== 'text' || piece.text.length > LONGEST) return [undefined];
  return [...letters.segment(piece.text.replaceAll(/\s/gu, ''))].map(({ segment }) =>
    EMOJI.test(segment) ? segment : undefined,
  );
}
