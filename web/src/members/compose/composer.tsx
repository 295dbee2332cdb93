import { useQuery } from '@tanstack/react-query';
import { Paperclip, SendHorizontal } from 'lucide-react';
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type Ref,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import { serverQuery } from '../../api/queries.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { useDraft } from '../state/drafts.ts';
import { post, type Target, type Unsent } from '../state/outbox.ts';
import { MOST_FILES, useUploads } from '../state/uploads.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './composer.module.css';
import { ComposerFiles } from './composer-files.tsx';
import { MentionList, useMentions } from './mention-list.tsx';

const NOT_TOLD = 16_000;
/** From how many characters left on the count is shown. */
const NEAR = 500;

export interface ComposerHandle {
  focus(): void;
  /** Puts a refused message back into the field. */
  takeBack(entry: Unsent): void;
}

/**
 * The field to write in. It keeps drafts and hands finished messages to the outbox.
 * @param props.target undefined while there is no addressee
 * @param props.draft the draft's name
 */
export function Composer(props: {
  target: Target | undefined;
  draft: string;
  label: string;
  placeholder?: string;
  handle?: Ref<ComposerHandle>;
  onPosted?: () => void;
  /** Called in place of sending while there is no addressee. */
  onNobody?: () => void;
  /** ArrowUp in the empty field. */
  editLast?: () => void;
  onEscape?: () => void;
  tall?: boolean;
}) {
  const {
    target,
    draft: name,
    label,
    placeholder,
    handle,
    onPosted,
    onNobody,
    editLast,
    onEscape,
    tall,
  } = props;
  const t = useTranslations('members.composer');
  const { me } = useMessageView();
  const { data: server } = useQuery(serverQuery);
  const most = server?.max_text_length ?? NOT_TOLD;
  const [draft, change] = useDraft(me.id, name);
  const setText = (text: string) => change((now) => ({ ...now, text }));
  const uploads = useUploads((file) => change((now) => ({ ...now, files: [...now.files, file] })));
  const [note, setNote] = useState<string>();
  const [dragging, setDragging] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const mentions = useMentions(field, draft.text, setText);

  useImperativeHandle(handle, () => ({
    focus: () => field.current?.focus(),
    takeBack: ({ text, files }) => {
      change((now) => ({
        text: [now.text, text].filter(Boolean).join('\n'),
        files: [...now.files, ...files],
      }));
      field.current?.focus();
    },
  }));

  // A cheap approximation: characters are counted exactly only near the limit.
  const left = draft.text.length > most - NEAR ? most - [...draft.text].length : NEAR;
  const empty = draft.text.trim() === '' && draft.files.length === 0;
  const uploading = uploads.running.some(({ error }) => error === undefined);
  const send = () => {
    setNote(undefined);
    if (empty && uploads.running.length === 0) return;
    if (uploads.running.length > 0) return setNote(t(uploading ? 'stillUploading' : 'failedUploads'));
    if (left < 0) return setNote(t('tooLong', { count: -left }));
    if (!target) return onNobody?.();
    post(target, draft.text, draft.files);
    change(() => ({ text: '', files: [] }));
    field.current?.focus();
    onPosted?.();
  };
  const addFiles = (files: readonly File[]) => {
    setNote(undefined);
    const room = Math.max(0, MOST_FILES - draft.files.length - uploads.running.length);
    if (files.length > room) setNote(t('tooManyFiles', { count: MOST_FILES }));
    uploads.add(files.slice(0, room));
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || mentions.onKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) send();
    else if (event.key === 'ArrowUp' && draft.text === '' && editLast) editLast();
    else if (event.key === 'Escape' && onEscape) onEscape();
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    addFiles(files);
  };
  const onDrop = (event: DragEvent) => {
    setDragging(false);
    // A dropped text is left to the browser.
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    addFiles([...event.dataTransfer.files]);
  };
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setDragging(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: whoever cannot drop a file has the button
    <div
      className={`${styles.composer} ${dragging ? styles.dragging : ''}`}
      onDragOver={onDragOver}
      onDragLeave={() => setDragging(false)}
      onDrop={onDrop}
    >
      <ComposerFiles
        files={draft.files}
        uploads={uploads}
        remove={({ id: gone }) =>
          change((now) => ({ ...now, files: now.files.filter(({ id }) => id !== gone) }))
        }
      />
      <textarea
        ref={field}
        className={`${styles.input} ${tall ? styles.tall : ''}`}
        aria-label={label}
        placeholder={placeholder}
        value={draft.text}
        rows={tall ? 5 : 1}
        onChange={(event) => {
          setNote(undefined);
          setText(event.target.value);
          mentions.onChange();
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onBlur={mentions.close}
        {...mentions.wiring}
      />
      <MentionList mentions={mentions} />
      {note && (
        <p role="alert" className={styles.note}>
          {note}
        </p>
      )}
      <div className={styles.tools}>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            addFiles([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <IconButton small label={t('attach')} onClick={() => chooser.current?.click()}>
          <Paperclip size={18} aria-hidden />
        </IconButton>
        <span className={styles.keys}>{t('keys')}</span>
        {left < NEAR && (
          <span className={left < 0 ? styles.note : styles.left} role="status">
            {left < 0 ? t('tooLong', { count: -left }) : t('left', { count: left })}
          </span>
        )}
        <Button small look="primary" aria-disabled={empty} onClick={send}>
          <SendHorizontal size={16} aria-hidden />
          {t('send')}
        </Button>
      </div>
    </div>
  );
}
