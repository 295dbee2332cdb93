import { type ClipboardEvent, type DragEvent, useState } from 'react';

/** Takes files that are dropped on an element or pasted into its field; text is left to the browser. */
export function useFileDrop(take: (files: readonly File[]) => void) {
  const [dragging, setDragging] = useState(false);
  const takeFrom = (event: DragEvent | ClipboardEvent, { files }: DataTransfer) => {
    if (files.length === 0) return;
    event.preventDefault();
    take([...files]);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!meansText(event.clipboardData)) takeFrom(event, event.clipboardData);
  };
  const onDrop = (event: DragEvent) => {
    setDragging(false);
    takeFrom(event, event.dataTransfer);
  };
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setDragging(true);
  };
  return { dragging, onPaste, target: { onDragOver, onDrop, onDragLeave: () => setDragging(false) } };
}

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
