import { type ClipboardEvent, type DragEvent, useState } from 'react';

/** Takes files that are dropped on an element or pasted into its field; text is left to the browser. */
export function useFileDrop(take: (files: readonly File[]) => void) {
  const [dragging, setDragging] = useState(false);
  const takeFrom = (event: DragEvent | ClipboardEvent, { files }: DataTransfer) => {
    if (files.length === 0) return;
    event.preventDefault();
    take([...files]);
  };
  const onPaste = (event: ClipboardEvent) => takeFrom(event, event.clipboardData);
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
