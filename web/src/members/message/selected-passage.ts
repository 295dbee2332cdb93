import type { Message } from '../../api/types.ts';
import { editedAt, type Passage } from '../state/references.ts';

const LETTER = /[\p{L}\p{N}]/u;
/** The signs of formatting that may stand around a word. */
const SIGNS = new Set('*_~`');

/** The letters and digits of a text, and where each of them stands: what is shown has no signs of formatting. */
function lettersOf(text: string) {
  const places: number[] = [];
  let letters = '';
  let place = 0;
  for (const sign of text) {
    if (LETTER.test(sign)) {
      letters += sign;
      for (let unit = 0; unit < sign.length; unit += 1) places.push(place + unit);
    }
    place += sign.length;
  }
  return { letters, places };
}

/**
 * The part of a message's text that shows these words.
 * @param before what is shown of the text before them: of equal passages it is the one that was selected
 * @returns undefined for the whole text, and where it cannot be found
 */
export function passageOf(
  message: Pick<Message, 'text' | 'events'>,
  selected: string,
  before: string,
): Passage | undefined {
  const { letters, places } = lettersOf(message.text);
  const words = selected.split(/\s+/).map((word) => lettersOf(word).letters);
  const wanted = words.filter(Boolean);
  const [head = '', tail = ''] = [wanted[0], wanted.at(-1)];
  if (wanted.length === 0) return undefined;
  const place = lettersOf(before).letters.length;
  const whole = nearest(letters, wanted.join(''), place);
  // The address of a link, or the name of an emoji, may stand between them, and is not shown.
  const first = whole === -1 ? nearest(letters, head, place) : whole;
  const end = first + wanted.join('').length;
  const last = letters.indexOf(tail, Math.max(first, end - tail.length));
  if (first === -1 || last === -1) return undefined;
  const [from = 0, to = 0] = [places[first], (places[last + tail.length - 1] ?? 0) + 1];
  const [start, stop] = withSigns(message.text, from, to);
  const isWhole = lettersOf(message.text.slice(start, stop)).letters === letters;
  return isWhole ? undefined : { from: start, to: stop, edited: editedAt(message) };
}

/** The place of a text in another one that is nearest to a place. */
function nearest(text: string, wanted: string, place: number): number {
  const after = text.indexOf(wanted, place);
  const before = text.lastIndexOf(wanted, place);
  if (after === -1 || before === -1) return Math.max(after, before);
  return after - place < place - before ? after : before;
}

/** With what ends its last word, and with signs of formatting that stand on both sides. */
function withSigns(text: string, from: number, to: number): [number, number] {
  let [start, end] = [from, to];
  while (start > 0 && text[start - 1] === text[end] && SIGNS.has(text[end] ?? '')) {
    start -= 1;
    end += 1;
  }
  if (/[.!?…。]/.test(text[end] ?? '')) end += 1;
  return [start, end];
}

/** What is selected of a message's text. @param element in the message */
export function selectedIn(
  element: Element | null | undefined,
  message: Pick<Message, 'text' | 'events'>,
): Passage | undefined {
  const shown = element?.querySelector('[data-text]');
  const selection = getSelection();
  if (!shown || !selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  if (!shown.contains(range.commonAncestorContainer)) return undefined;
  const before = new Range();
  before.setStart(shown, 0);
  before.setEnd(range.startContainer, range.startOffset);
  return passageOf(message, range.toString(), before.toString());
}
