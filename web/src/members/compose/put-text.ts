/**
 * Puts a text in place of a part of a field's, as if it were typed: the browser's undo takes it back, and the field tells its
 * listeners. A text that a script sets ends all that could be undone.
 */
export function putText(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  field.focus();
  field.setSelectionRange(start, end);
  // It is called obsolete, and nothing else does this.
  if (document.execCommand('insertText', false, text)) return;
  field.setRangeText(text, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }));
}
