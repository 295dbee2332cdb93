import { type ClipboardEvent, type KeyboardEvent, type RefObject, useRef } from 'react';
import { pressedKey } from '../../shell/shortcuts.ts';
import { isInCode } from './begun-word.ts';
import { putText } from './put-text.ts';

/** Browsers paste without formatting by this key; some give the formatted text to the page all the same. */
const AS_TEXT = 'Mod+Shift+v';
const MOST_MARKUP = 2_000_000;
/** Markup without these says no more than its text. */
const SAYS_MORE =
  /<(?:a|b|strong|i|em|s|del|strike|h[1-6]|[uo]l|blockquote|pre|code|tt|kbd|table|img|hr)[\s>]|font-weight|font-style|line-through|mso-list/i;

/**
 * What is pasted into a field: files go where files go, formatted text becomes the text that is formatted so, and all else
 * is left to the browser.
 * @param addFiles where the field takes none, their names or texts are pasted
 */
export function usePaste(
  field: RefObject<HTMLTextAreaElement | null>,
  addFiles?: (files: readonly File[]) => void,
) {
  const asText = useRef(false);
  const noteKey = (event: KeyboardEvent) => {
    asText.current = pressedKey(event.nativeEvent) === AS_TEXT;
  };
  const onPaste = (event: ClipboardEvent) => {
    const { clipboardData: data } = event;
    const isText = asText.current;
    asText.current = false;
    if (addFiles && data.files.length > 0 && !meansText(data)) {
      event.preventDefault();
      addFiles([...data.files]);
    } else if (!isText && field.current && isRich(field.current, data)) {
      event.preventDefault();
      void pasteRich(field.current, data.getData('text/html'), data.getData('text/plain'));
    }
  };
  return { noteKey, onPaste };
}

function isRich({ value, selectionStart }: HTMLTextAreaElement, data: DataTransfer): boolean {
  const markup = data.getData('text/html');
  return markup.length < MOST_MARKUP && SAYS_MORE.test(markup) && !isInCode(value, selectionStart);
}

/** The reader is loaded when it is first needed. What is typed meanwhile stays where it is. */
async function pasteRich(field: HTMLTextAreaElement, markup: string, plain: string): Promise<void> {
  const text = (await read(markup, plain)) ?? plain;
  if (field.isConnected) putText(field, field.selectionStart, field.selectionEnd, text);
}

async function read(markup: string, plain: string): Promise<string | undefined> {
  // Offline it may be missing: the text is better than nothing.
  const { richText } = await import('./rich-text.ts').catch(() => ({ richText: () => undefined }));
  const rich = richText(markup);
  return rich !== undefined && squeezed(rich) !== squeezed(plain) ? rich : undefined;
}

const squeezed = (text: string) => text.replaceAll(/\s+/g, '');

/**
 * Spreadsheets and word processors add a picture of the text that was copied. A picture that was copied comes with markup
 * that holds it alone, and a file comes with its name.
 */
function meansText(data: DataTransfer): boolean {
  const text = data.getData('text/plain').trim();
  if (text === '') return false;
  const markup = data.getData('text/html');
  if (markup !== '') return !isPictureAlone(markup);
  return ![...data.files].some(({ name }) => text.includes(name));
}

function isPictureAlone(markup: string): boolean {
  const { body } = new DOMParser().parseFromString(markup, 'text/html');
  return body.querySelector('img') !== null && body.textContent.trim() === '';
}
