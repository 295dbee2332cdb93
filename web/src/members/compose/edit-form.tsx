import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { useFailureText } from '../../text/failure.ts';
import { edit } from '../state/changes.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './composer.module.css';

/** Edits a message's text in place. Enter saves, Escape cancels. */
export function EditForm({ message }: { message: Message }) {
  const t = useTranslations('members.edit');
  const common = useTranslations('common');
  const failure = useFailureText();
  const { endEditing } = useMessageView();
  const [text, setText] = useState(message.text);
  const field = useRef<HTMLTextAreaElement>(null);
  const done = () => {
    const row = field.current?.closest<HTMLElement>('article');
    endEditing(message.id);
    row?.focus();
  };
  const mutation = useMutation({ mutationFn: () => edit(message, text), onSuccess: done });
  // Runs before the menu that opened it returns the focus.
  useLayoutEffect(() => {
    const { current } = field;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const save = () => (text === message.text ? done() : mutation.mutate());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') done();
    else if (event.key === 'Enter' && !event.shiftKey) save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.edit}>
      <textarea
        ref={field}
        className={styles.input}
        aria-label={t('label')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        rows={1}
      />
      {mutation.error && <Notice kind="danger">{failure(mutation.error)}</Notice>}
      <div className={styles.editActions}>
        <Button small look="primary" busy={mutation.isPending} onClick={save}>
          {common('save')}
        </Button>
        <Button small look="quiet" onClick={done}>
          {common('cancel')}
        </Button>
        <span className={styles.keys}>{t('keys')}</span>
      </div>
    </div>
  );
}
