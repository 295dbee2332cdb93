import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { EDITS_CALL_MS } from '#platform/text/mentions.ts';
import { plainText } from '#platform/text/plain-text.ts';
import { Unreachable } from '../../api/client.ts';
import { onLive } from '../../api/live.ts';
import { queryClient } from '../../api/queries.ts';
import type { Message } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { giveFocus, isOfInputMethod, isSendKey } from '../../design/hands.ts';
import { Notice } from '../../design/notice.tsx';
import { tell } from '../../design/toast.tsx';
import { calledQuery } from '../../teams/called.ts';
import { useFailureText } from '../../text/failure.ts';
import { edit } from '../state/changes.ts';
import { useKeptEdit } from '../state/drafts.ts';
import { useMessageView } from '../state/view-context.tsx';
import { namesIn } from './calling.tsx';
import styles from './composer.module.css';
import { ComposerFiles } from './composer-files.tsx';
import { AttachTool, EmojiTool, Left } from './composer-tools.tsx';
import { DropSign, useFileDrop } from './file-drop.tsx';
import { FormattingTools, Preview } from './formatting-parts.tsx';
import { usePaste } from './paste.ts';
import { SuggestionList, useSuggestions } from './suggestion-list.tsx';
import { useFormatting } from './use-formatting.ts';
import { useWriting } from './use-writing.ts';

/** Edits a message's text and files in place. Enter saves, Escape cancels. */
export function EditForm({ message }: { message: Message }) {
  const t = useTranslations('members.edit');
  const common = useTranslations('common');
  const failure = useFailureText();
  const format = useFormatter();
  const { me, endEditing } = useMessageView();
  const kept = useKeptEdit(me.id, message);
  const { begun, draft, before, changesFiles, discard, isKept } = kept;
  const { text } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const suggestions = useSuggestions(field, message.addressed_teams[0]);
  const formatting = useFormatting(field, true);
  const { uploads, note, left, write, addFiles, removeFile, insert, isReady } = useWriting(field, kept);
  const dropping = useFileDrop(field, addFiles);
  const paste = usePaste(field, addFiles);
  /** The field to write in, where its key opened this: its reader goes on writing there. */
  const writing = useRef<HTMLElement>(null);
  const goOnWriting = (): boolean => {
    if (!writing.current?.isConnected) return false;
    writing.current.focus();
    return true;
  };
  const done = () => {
    const row = field.current?.closest<HTMLElement>('article');
    discard();
    endEditing(message.id);
    if (!goOnWriting() && row) giveFocus(row);
  };
  const mutation = useMutation({
    mutationFn: async () => {
      const before = namesIn(message.text, message.format);
      const called = namesIn(text, message.format).filter((name) => !before.includes(name));
      await edit(message, text, changesFiles ? draft.files : undefined);
      return called;
    },
    onSuccess: (called) => {
      done();
      void tellUncalled(called);
    },
  });
  const { error, reset } = mutation;
  useEffect(() => (error instanceof Unreachable ? onLive('ready', reset) : undefined), [error, reset]);
  /** Long after a message was posted, an edit calls nobody. */
  const tellUncalled = async (names: readonly string[]) => {
    const [team] = message.addressed_teams;
    const isLate = Date.now() - message.created_at * 1000 > EDITS_CALL_MS;
    if (team === undefined || names.length === 0 || !isLate) return;
    const { people } = await queryClient.fetchQuery(calledQuery(team, names));
    if (people > 0) tell(t('callsNobody', { names: format.list(names.map((name) => `@${name}`)) }));
  };
  // Runs before the menu that opened it returns the focus.
  useLayoutEffect(() => {
    const { current } = field;
    const { activeElement } = document;
    if (activeElement instanceof HTMLTextAreaElement && activeElement !== current)
      writing.current = activeElement;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const save = () => {
    if (!begun) return done();
    if (!isReady()) return;
    mutation.mutate();
    // The next letters are meant for the next message, also before the answer.
    goOnWriting();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    paste.noteKey(event);
    if (isOfInputMethod(event.nativeEvent)) return;
    if (suggestions.onKey(event) || formatting.onKey(event)) return event.stopPropagation();
    if (event.key === 'Escape') done();
    else if (isSendKey(event)) save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.edit} data-edit>
      {dropping && <DropSign />}
      {/* One's own change may be heard of before its answer. */}
      {before !== message.text && text !== message.text && (
        <Notice kind="warning">
          <p>{t('changed')}</p>
          <blockquote className={styles.now}>
            {plainText(message.text, message.mentions[0]?.name, message.format)}
          </blockquote>
        </Notice>
      )}
      <ComposerFiles files={draft.files} uploads={uploads} remove={removeFile} />
      {formatting.previewing && <Preview text={text} message={message} />}
      <textarea
        ref={field}
        className={styles.input}
        aria-label={t('label')}
        value={text}
        onChange={(event) => {
          write(event.target.value);
          suggestions.onChange(event);
        }}
        onKeyDown={onKeyDown}
        onPaste={paste.onPaste}
        rows={1}
        {...suggestions.wiring}
      />
      <SuggestionList suggestions={suggestions} />
      {note && (
        <p role="alert" className={styles.note}>
          {note}
        </p>
      )}
      {!isKept && (
        <p role="status" className={styles.unkept}>
          {t('notKept')}
        </p>
      )}
      {error && <Notice kind="danger">{failure(error)}</Notice>}
      <div className={styles.toolRoom}>
        <div className={styles.tools}>
          <Button small look="primary" busy={mutation.isPending} onClick={save}>
            {common('save')}
          </Button>
          <Button small look="quiet" onClick={done}>
            {common('cancel')}
          </Button>
          <AttachTool addFiles={addFiles} />
          <EmojiTool insert={insert} />
          <FormattingTools formatting={formatting} />
          <Left count={left} />
          <span className={styles.keys}>{t('keys')}</span>
        </div>
      </div>
    </div>
  );
}

/** At a message of one's own, an edit that was begun and neither saved nor cancelled. */
export function UnsavedEdit({ message }: { message: Message }) {
  const t = useTranslations('members.edit');
  const common = useTranslations('common');
  const { me, setEditing } = useMessageView();
  const { begun, discard } = useKeptEdit(me.id, message);
  if (!begun) return null;
  return (
    <div className={styles.unsaved}>
      <span>{t('unsaved')}</span>
      <Button small onClick={() => setEditing(message.id)}>
        {t('goOn')}
      </Button>
      <Button small look="quiet" onClick={discard}>
        {common('discard')}
      </Button>
    </div>
  );
}
