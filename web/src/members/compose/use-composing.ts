import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isSeen } from '#platform/text/seen.ts';
import { serverQuery } from '../../api/queries.ts';
import { kept } from '../../storage/kept.ts';
import { putBack } from '../state/draft-files.ts';
import { type Attached, type Change, useDraft } from '../state/drafts.ts';
import { post, type Target, type Unsent } from '../state/outbox.ts';
import { MOST_FILES, useUploads } from '../state/uploads.ts';
import { useMessageView } from '../state/view-context.tsx';

const NOT_TOLD = 16_000;
/** How many times the longest text a draft may be to be kept. */
const KEPT_TIMES = 2;
/** From how many characters left on the count is shown. */
export const NEAR = 500;

/** The message that is being written: its draft, its uploads, and why it cannot be sent yet. */
export function useComposing(
  field: RefObject<HTMLTextAreaElement | null>,
  props: {
    target: Target | undefined;
    draft: string;
    team?: string | undefined;
    alsoTo?: string | undefined;
    onPosted?: () => void;
    onNobody?: () => void;
  },
) {
  const { target, draft: name, team, alsoTo, onPosted, onNobody } = props;
  const t = useTranslations('members.composer');
  const { me } = useMessageView();
  const { data: server } = useQuery(serverQuery);
  const most = server?.max_text_length ?? NOT_TOLD;
  const { draft, now, change: put, isKept } = useDraft(me.id, name, KEPT_TIMES * most);
  const change: Change = (work) =>
    put((before) => ({ ...work(before), ...(team !== undefined && { team }) }));
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
    change((before) => ({ ...before, files: before.files.filter(({ id }) => id !== gone) }));
    if (bytes !== undefined) kept.removeFile(bytes);
  };
  const takeBack = (entry: Unsent) => {
    change((before) => putBack(before, entry));
    field.current?.focus();
  };
  const uploading = uploads.running.some(({ error }) => error === undefined);
  const send = () => {
    setNote(undefined);
    if (isEmpty && uploads.running.length === 0) return;
    if (uploads.running.length > 0) return setNote(t(uploading ? 'stillUploading' : 'failedUploads'));
    if (left < 0) return setNote(t('tooLong', { count: -left }));
    if (!target) return onNobody?.();
    post(target, draft.text, draft.files, alsoTo);
    change(() => ({ text: '', files: [] }));
    field.current?.focus();
    onPosted?.();
  };
  return { draft, isKept, uploads, note, left, isEmpty, write, addFiles, removeFile, takeBack, send };
}

/** Characters are counted one by one near the limit only: far above it, units of UTF-16 tell enough. */
function leftOf(text: string, most: number): number {
  if (text.length <= most - NEAR) return NEAR;
  return most - (text.length > KEPT_TIMES * most ? text.length : [...text].length);
}
