import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { showShortcuts } from '../../shell/windows.ts';
import { putBack } from '../state/draft-files.ts';
import { type Change, useDraft } from '../state/drafts.ts';
import { post, type Target, type Unsent } from '../state/outbox.ts';
import { useMessageView } from '../state/view-context.tsx';
import { asWritten, meantBy } from './commands.ts';
import { useLongest, useWriting } from './use-writing.ts';

/** The message that is being written: its draft, and how it is sent. */
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
  const t = useTranslations('shell.commands');
  const { me } = useMessageView();
  const { mostKept } = useLongest();
  const { draft, now, change: put, isKept } = useDraft(me.id, name, mostKept);
  const change: Change = (work) =>
    put((before) => ({ ...work(before), ...(team !== undefined && { team }) }));
  const writing = useWriting(field, { draft, now, change });
  const takeBack = (entry: Unsent) => {
    change((before) =>
      putBack(before, { ...entry, text: before.text === '' ? asWritten(entry.text) : entry.text }),
    );
    field.current?.focus();
  };
  const send = () => {
    if (writing.isEmpty && writing.uploads.running.length === 0) return;
    if (!writing.isReady()) return;
    const meant = meantBy(draft.text);
    if (meant.kind === 'help') {
      change((before) => ({ ...before, text: '' }));
      return showShortcuts();
    }
    if (meant.kind !== 'post') return writing.setNote(t(meant.kind, { name: meant.name }));
    if (!target) return onNobody?.();
    post(target, meant.text, draft.files, alsoTo);
    change(() => ({ text: '', files: [] }));
    field.current?.focus();
    onPosted?.();
  };
  return { ...writing, draft, isKept, takeBack, send };
}
