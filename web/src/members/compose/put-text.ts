/** From so many lines on. */
const MANY_LINES = 100;

/**
 * Puts a text in place of a part of a field's, as if it were typed: the browser's undo takes it back, and the field tells its
 * listeners. A text that a script sets ends all that could be undone.
 */
export function putText(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  field.focus();
  field.setSelectionRange(start, end);
  // It is called obsolete, and nothing else does this.
  if (text.split('\n', MANY_LINES).length === MANY_LINES && putAtOnce(text)) return;
  if (document.execCommand('insertText', false, text)) {
    // Where a last line was emptied, Chromium has the cursor at the end of the one above.
    if (text === '') field.setSelectionRange(start, start);
    return;
  }
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
}

/** Chromium inserts a text line by line, each in more time than the one before: 2,000 of them take seconds. A field has no HTML. */
const putAtOnce = (text: string): boolean =>
  document.execCommand('insertHTML', false, text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
