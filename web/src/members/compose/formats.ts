import type { KeyboardEvent } from 'react';
import { pressedKey } from '../../shell/shortcuts.ts';
import { putText } from './put-text.ts';

interface Format {
  /** As `keyName` writes it. */
  readonly key: string;
  /** Formats what is selected, or takes its formatting away. */
  readonly apply: (field: HTMLTextAreaElement) => void;
}

/** Keys and buttons do the same. The keys are those of Slack; one that a browser keeps for itself is none. */
export const FORMATS = {
  bold: { key: 'Mod+b', apply: around('**') },
  italic: { key: 'Mod+i', apply: around('*') },
  strike: { key: 'Mod+Shift+x', apply: around('~~') },
  link: { key: 'Mod+Shift+u', apply: putLink },
  quote: { key: 'Mod+Shift+9', apply: before(() => '> ') },
  numbers: { key: 'Mod+Shift+7', apply: before((at) => `${at + 1}. `) },
  bullets: { key: 'Mod+Shift+8', apply: before(() => '- ') },
  code: { key: 'Mod+e', apply: around('`') },
  block: { key: 'Mod+Alt+Shift+c', apply: putFences },
} as const satisfies Record<string, Format>;
export type FormatName = keyof typeof FORMATS;

const BY_KEY = new Map<string, Format>(Object.values(FORMATS).map((format) => [format.key, format]));

/** @returns whether the key was that of a format */
export function formatByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  const format = BY_KEY.get(pressedKey(event.nativeEvent) ?? '');
  if (!format) return false;
  format.apply(event.currentTarget);
  event.preventDefault();
  return true;
}

function around(sign: string) {
  const { length } = sign;
  return (field: HTMLTextAreaElement): void => {
    const { value, selectionStart: start, selectionEnd: end } = field;
    const chosen = value.slice(start, end);
    if (isAround(value, start, end, sign)) {
      putText(field, start - length, end + length, chosen);
      field.setSelectionRange(start - length, end - length);
    } else {
      putText(field, start, end, sign + chosen + sign);
      field.setSelectionRange(start + length, end + length);
    }
  };
}

/** Two stars are no star: they stand for something else. */
function isAround(value: string, start: number, end: number, sign: string): boolean {
  if (value.slice(start - sign.length, start) !== sign || !value.startsWith(sign, end)) return false;
  let stars = 0;
  while (value[start - 1 - stars] === '*') stars += 1;
  return sign !== '*' || stars % 2 === 1;
}

/** The lines that are chosen, in part or whole. */
function chosenLines({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) {
  const start = value.lastIndexOf('\n', selectionStart - 1) + 1;
  const [rest = ''] = value.slice(selectionEnd).split('\n', 1);
  const end = selectionEnd + rest.length;
  return { start, end, lines: value.slice(start, end).split('\n') };
}

const MARKED = /^(?:\d{1,9}\. |- |> )/;

function before(mark: (at: number) => string) {
  return (field: HTMLTextAreaElement): void => {
    const { start, end, lines } = chosenLines(field);
    const isMarked = lines.every((line, at) => line.startsWith(mark(at)));
    const text = lines.map((line, at) => (isMarked ? '' : mark(at)) + line.replace(MARKED, '')).join('\n');
    putText(field, start, end, text);
    if (lines.length > 1) field.setSelectionRange(start, start + text.length);
  };
}

const FENCE = '```';

/** Around lines that are chosen, on lines of their own. A row of signs within them is no end of theirs. */
function putFences(field: HTMLTextAreaElement): void {
  const { start, end, lines } = chosenLines(field);
  const { value } = field;
  const text = lines.join('\n');
  const above = value.slice(value.lastIndexOf('\n', start - 2) + 1, Math.max(0, start - 1));
  const [, below = ''] = value.slice(end).split('\n', 2);
  if (above.startsWith(FENCE) && below.startsWith(FENCE)) {
    putText(field, start - above.length - 1, end + below.length + 1, text);
    field.setSelectionRange(start - above.length - 1, end - above.length - 1);
    return;
  }
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([row]) => row.length));
  const fence = '`'.repeat(longest + 1);
  putText(field, start, end, `${fence}\n${text}\n${fence}`);
  const first = start + fence.length + 1;
  field.setSelectionRange(first, first + text.length);
}

const TARGET = 'https://';

/** What is chosen becomes the link's text, or its address; what is left to write is chosen then. */
function putLink(field: HTMLTextAreaElement): void {
  const { value, selectionStart: start, selectionEnd: end } = field;
  const chosen = value.slice(start, end);
  const label = value.lastIndexOf('[', start);
  if (label >= 0 && value.slice(start - 2, start) === '](' && value[end] === ')') {
    const text = value.slice(label + 1, start - 2);
    putText(field, label, end + 1, text);
    field.setSelectionRange(label, label + text.length);
  } else if (/^https?:\/\/\S+$/.test(chosen)) {
    putText(field, start, end, `[](${chosen})`);
    field.setSelectionRange(start + 1, start + 1);
  } else {
    putText(field, start, end, `[${chosen}](${TARGET})`);
    const target = end + '[]('.length;
    field.setSelectionRange(target, target + TARGET.length);
  }
}
