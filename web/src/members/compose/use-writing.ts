import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isSeen } from '#platform/text/seen.ts';
import { serverQuery } from '../../api/queries.ts';
import { kept } from '../../storage/kept.ts';
import type { Attached, Change, Draft } from '../state/drafts.ts';
import { MOST_FILES, useUploads } from '../state/uploads.ts';
import { putText } from './put-text.ts';

const NOT_TOLD = 16_000;
/** How many times the longest text a draft may be to be kept. */
const KEPT_TIMES = 2;
/** From how many characters left on the count is shown. */
export const NEAR = 500;

/** The longest text of a message, and of a draft that is kept. */
export function useLongest(): { readonly most: number; readonly mostKept: number } {
  const { data: server } = useQuery(serverQuery);
  const most = server?.max_text_length ?? NOT_TOLD;
  return { most, mostKept: KEPT_TIMES * most };
}

/** Writing into a field: a new message, or one that is edited. Its text, its files, and why it cannot be sent yet. */
export function useWriting(
  field: RefObject<HTMLTextAreaElement | null>,
  { draft, now, change }: { draft: Draft; now: () => Draft; change: Change },
) {
  const t = useTranslations('members.composer');
  const { most } = useLongest();
  const uploads = useUploads(draft, now, change);
  const [note, setNote] = useState<string>();
  const left = leftOf(draft.text, most);
  const isEmpty = !isSeen(draft.text) && draft.files.length === 0;
  const write = (text: string) => {
    setNote(undefined);
    change((before) => ({ ...before, text }));
  };
  const addFiles = (files: readonly File[]) => {
    setNote(undefined);
    const room = Math.max(0, MOST_FILES - draft.files.length - uploads.running.length);
    if (files.length > room) setNote(t('tooManyFiles', { count: MOST_FILES }));
    uploads.add(files.slice(0, room));
    field.current?.focus();
  };
  const removeFile = ({ id: gone, bytes }: Attached) => {
    setNote(undefined);
    change((before) => ({ ...before, files: before.files.filter(({ id }) => id !== gone) }));
    if (bytes !== undefined) kept.removeFile(bytes);
    // The button that had the focus is gone.
    field.current?.focus();
  };
  /** In place of what is chosen, or where the cursor is. */
  const insert = (text: string) => {
    const { current } = field;
    if (!current) return;
    const { selectionStart, selectionEnd } = current;
    // The dialog has yet to give the focus back.
    requestAnimationFrame(() => putText(current, selectionStart, selectionEnd, text));
  };
  /** @returns whether it can be sent; otherwise the note says why not */
  const isReady = (): boolean => {
    const uploading = uploads.running.some(({ error }) => error === undefined);
    const reason =
      uploads.running.length > 0
        ? t(uploading ? 'stillUploading' : 'failedUploads')
        : left < 0
          ? t('tooLong', { count: -left })
          : undefined;
    setNote(reason);
    return reason === undefined;
  };
  const removeUpload: typeof uploads.remove = (upload) => {
    uploads.remove(upload);
    field.current?.focus();
  };
  return {
    uploads: { ...uploads, remove: removeUpload },
    note,
    left,
    isEmpty,
    write,
    addFiles,
    removeFile,
    insert,
    isReady,
    setNote,
  };
}

/** Characters are counted one by one near the limit only: far above it, units of UTF-16 tell enough. */
function leftOf(text: string, most: number): number {
  if (text.length <= most - NEAR) return NEAR;
  return most - (text.length > KEPT_TIMES * most ? text.length : [...text].length);
}
