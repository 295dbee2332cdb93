import { isInCode } from './begun-word.ts';
import { putText } from './put-text.ts';

const ITEM = /^( *)(?:([-*+])|(\d{1,9})([.)])) (\[[ xX]\] )?/;

/**
 * Begins the next item where a new line is asked for in a list; in an empty item, ends the list.
 * @returns whether the line belongs to a list
 */
export function continueList(field: HTMLTextAreaElement): boolean {
  const { value, selectionStart: cursor, selectionEnd } = field;
  const start = value.lastIndexOf('\n', cursor - 1) + 1;
  const line = value.slice(start, cursor);
  const [sign, indent = '', bullet, number, end, task] = ITEM.exec(line) ?? [];
  if (sign === undefined || cursor !== selectionEnd || isInCode(value, start)) return false;
  const isEmpty = line === sign && /^(\n|$)/.test(value.slice(cursor));
  const next = `\n${indent}${bullet ?? `${Number(number) + 1}${end}`} ${task ? '[ ] ' : ''}`;
  putText(field, isEmpty ? start : cursor, cursor, isEmpty ? '' : next);
  return true;
}
