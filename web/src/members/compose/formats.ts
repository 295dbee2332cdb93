import type { KeyboardEvent } from 'react';
import { isMac } from '../../shell/shortcuts.ts';
import { putText } from './put-text.ts';

/** By the key that is pressed with Ctrl, or Command on a Mac; a capital with Shift as well. */
const AROUND: Readonly<Record<string, string>> = { b: '**', i: '*', e: '`', X: '~~' };
/** By the place of the key, since Shift makes other signs of digits. The keys are those of Slack. */
const BEFORE: Readonly<Record<string, (at: number) => string>> = {
  Digit7: (at) => `${at + 1}. `,
  Digit8: () => '- ',
  Digit9: () => '> ',
};
const MARKED = /^(?:\d{1,9}\. |- |> )/;

/** Formats what is selected, or takes its formatting away. @returns whether the key was one of these */
export function formatByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  const { key, code, shiftKey, altKey, ctrlKey, metaKey, currentTarget } = event;
  if (altKey || !(isMac ? metaKey : ctrlKey)) return false;
  const sign = AROUND[shiftKey ? key.toUpperCase() : key.toLowerCase()];
  const mark = shiftKey ? BEFORE[code] : undefined;
  if (sign !== undefined) putAround(currentTarget, sign);
  else if (mark) putBefore(currentTarget, mark);
  else return false;
  event.preventDefault();
  return true;
}

function putAround(field: HTMLTextAreaElement, sign: string): void {
  const { value, selectionStart: start, selectionEnd: end } = field;
  const chosen = value.slice(start, end);
  const { length } = sign;
  if (isAround(value, start, end, sign)) {
    putText(field, start - length, end + length, chosen);
    field.setSelectionRange(start - length, end - length);
  } else {
    putText(field, start, end, sign + chosen + sign);
    field.setSelectionRange(start + length, end + length);
  }
}

/** Two stars are no star: they stand for something else. */
function isAround(value: string, start: number, end: number, sign: string): boolean {
  if (value.slice(start - sign.length, start) !== sign || !value.startsWith(sign, end)) return false;
  let stars = 0;
  while (value[start - 1 - stars] === '*') stars += 1;
  return sign !== '*' || stars % 2 === 1;
}

/** Marks all lines that are chosen, in part or whole. */
function putBefore(field: HTMLTextAreaElement, mark: (at: number) => string): void {
  const { value, selectionStart, selectionEnd } = field;
  const start = value.lastIndexOf('\n', selectionStart - 1) + 1;
  const [rest = ''] = value.slice(selectionEnd).split('\n', 1);
  const end = selectionEnd + rest.length;
  const lines = value.slice(start, end).split('\n');
  const isMarked = lines.every((line, at) => line.startsWith(mark(at)));
  const text = lines.map((line, at) => (isMarked ? '' : mark(at)) + line.replace(MARKED, '')).join('\n');
  putText(field, start, end, text);
  if (lines.length > 1) field.setSelectionRange(start, start + text.length);
}
