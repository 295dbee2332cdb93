import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { useTranslations } from 'use-intl';
import { serverQuery } from '../../api/queries.ts';
import type { Attachment } from '../../api/types.ts';
import { useDraft } from '../state/drafts.ts';
import { post, type Target, type Unsent } from '../state/outbox.ts';
import { MOST_FILES, useUploads } from '../state/uploads.ts';
import { useMessageView } from '../state/view-context.tsx';

const NOT_TOLD = 16_000;
/** From how many characters left on the count is shown. */
export const NEAR = 500;

/** The message that is being written: its draft, its uploads, and why it cannot be sent yet. */
export function useComposing(
  field: RefObject<HTMLTextAreaElement | null>,
  props: {
    target: Target | undefined;
    draft: string;
    onPosted?: () => void;
    onNobody?: () => void;
  },
) {
  const { target, draft: name, onPosted, onNobody } = props;
  const t = useTranslations('members.composer');
  const { me } = useMessageView();
  const { data: server } = useQuery(serverQuery);
  const most = server?.max_text_length ?? NOT_TOLD;
  const [draft, change] = useDraft(me.id, name);
  const uploads = useUploads((file) => change((now) => ({ ...now, files: [...now.files, file] })));
  const [note, setNote] = useState<string>();

  // A cheap approximation: characters are counted exactly only near the limit.
  const left = draft.text.length > most - NEAR ? most - [...draft.text].length : NEAR;
  const isEmpty = draft.text.trim() === '' && draft.files.length === 0;
  const write = (text: string) => {
    setNote(undefined);
    change((now) => ({ ...now, text }));
  };
  const addFiles = (files: readonly File[]) => {
    setNote(undefined);
    const room = Math.max(0, MOST_FILES - draft.files.length - uploads.running.length);
    if (files.length > room) setNote(t('tooManyFiles', { count: MOST_FILES }));
    uploads.add(files.slice(0, room));
    field.current?.focus();
  };
  const removeFile = ({ id: gone }: Attachment) =>
    change((now) => ({ ...now, files: now.files.filter(({ id }) => id !== gone) }));
  const takeBack = ({ text, files }: Unsent) => {
    change((now) => ({
      text: [now.text, text].filter(Boolean).join('\n'),
      files: [...now.files, ...files],
    }));
    field.current?.focus();
  };
  const uploading = uploads.running.some(({ error }) => error === undefined);
  const send = () => {
    setNote(undefined);
    if (isEmpty && uploads.running.length === 0) return;
    if (uploads.running.length > 0) return setNote(t(uploading ? 'stillUploading' : 'failedUploads'));
    if (left < 0) return setNote(t('tooLong', { count: -left }));
    if (!target) return onNobody?.();
    post(target, draft.text, draft.files);
    change(() => ({ text: '', files: [] }));
    field.current?.focus();
    onPosted?.();
  };
  return { draft, uploads, note, left, isEmpty, write, addFiles, removeFile, takeBack, send };
}
