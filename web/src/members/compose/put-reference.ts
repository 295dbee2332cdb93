import { fieldBeside } from '../../shell/letters.ts';
import { putText } from './put-text.ts';

/**
 * Puts the address of a message into the field that belongs to where an element stands, on a line of its own.
 * @returns false where there is no such field
 */
export function putReference(element: Element, address: string): boolean {
  const field = fieldBeside(element);
  if (!(field instanceof HTMLTextAreaElement)) return false;
  // The menu has yet to give the focus back.
  requestAnimationFrame(() => {
    const { selectionStart: start, selectionEnd: end, value } = field;
    const isInLine = start > 0 && value[start - 1] !== '\n';
    putText(field, start, end, `${isInLine ? '\n' : ''}${address}\n`);
  });
  return true;
}
