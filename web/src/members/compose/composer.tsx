import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isLedToWrite, isOfInputMethod, isSendKey, mayInvite } from '../../design/hands.ts';
import { onDemand } from '../../design/on-demand.tsx';
import { takeLetters } from '../../shell/letters.ts';
import { WaitsHere } from '../later/waits-here.tsx';
import type { Target, Unsent } from '../state/outbox.ts';
import { noteWriting } from '../state/typing.ts';
import { useMessageView } from '../state/view-context.tsx';
import { CallWarning, NotThere, namesIn } from './calling.tsx';
import { meantBy, scopeOf } from './commands.ts';
import styles from './composer.module.css';
import { ComposerFiles } from './composer-files.tsx';
import { AttachTool, ComposerTools, EmojiTool } from './composer-tools.tsx';
import { DropSign, useFileDrop } from './file-drop.tsx';
import { FormattingTools, Preview } from './formatting-parts.tsx';
import { usePaste } from './paste.ts';
import { SuggestionList, useSuggestions } from './suggestion-list.tsx';
import { useComposing } from './use-composing.ts';
import { useFormatting } from './use-formatting.ts';

const ScheduleDialog = onDemand(async () => (await import('../later/schedule-dialog.tsx')).ScheduleDialog);
const RemindDialog = onDemand(async () => (await import('../later/remind-dialog.tsx')).RemindDialog);

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
  /** The team whose conversation it belongs to. */
  team?: string | undefined;
  /** The team that is to see a reply as well. */
  alsoTo?: string | undefined;
  label: string;
  placeholder?: string;
  handle?: Ref<ComposerHandle>;
  onPosted?: () => void;
  /** Called in place of sending while there is no addressee. */
  onNobody?: () => void;
  /** ArrowUp in the empty field. */
  editLast?: () => void;
  /** @param isEmpty whether nothing was begun */
  onEscape?: (isEmpty: boolean) => void;
  /** Whether it takes the focus when its view is opened, or of a reader who was led to it to write. */
  inviting?: 'opened' | 'led' | undefined;
  tall?: boolean;
}) {
  const { label, placeholder, handle, editLast, onEscape, inviting, tall } = props;
  const t = useTranslations('members.composer');
  const { me } = useMessageView();
  const field = useRef<HTMLTextAreaElement>(null);
  // What is said in a sidebar calls nobody else.
  const team = props.target?.kind === 'sidebar' ? undefined : props.team;
  /** The names in what was sent last. */
  const [called, setCalled] = useState<readonly string[]>([]);
  const composing = useComposing(field, {
    ...props,
    onPosted: () => {
      setCalled(namesIn(draft.text));
      formatting.endPreview();
      props.onPosted?.();
    },
  });
  const { draft, isKept, uploads, note, left, isEmpty, write, addFiles, removeFile, insert, takeBack, send } =
    composing;
  const suggestions = useSuggestions(field, team, scopeOf(props.target) ?? {});
  const { later, endLater, clear } = composing;
  const mayWait = !isEmpty && props.target !== undefined;
  const formatting = useFormatting(field, tall === true);
  const dropping = useFileDrop(field, addFiles);
  const paste = usePaste(field, addFiles);
  useImperativeHandle(handle, () => ({ focus: () => field.current?.focus(), takeBack }));
  useEffect(() => (field.current ? takeLetters(field.current) : undefined), []);
  const opening = useRef(true);
  useEffect(() => {
    const invites = inviting === 'opened' && opening.current ? mayInvite : isLedToWrite;
    opening.current = false;
    if (inviting && invites()) field.current?.focus();
  }, [inviting]);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    paste.noteKey(event);
    if (isOfInputMethod(event.nativeEvent) || suggestions.onKey(event) || formatting.onKey(event)) return;
    if (isSendKey(event)) send();
    else if (event.key === 'ArrowUp' && draft.text === '' && editLast) editLast();
    else if (event.key === 'Escape') {
      field.current?.blur();
      onEscape?.(isEmpty && uploads.running.length === 0);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <WaitsHere target={props.target} />
      <div className={`${styles.composer} ${tall ? '' : styles.slim}`}>
        {dropping && <DropSign />}
        <ComposerFiles files={draft.files} uploads={uploads} remove={removeFile} />
        {formatting.previewing && <Preview text={previewOf(draft.text)} message={previewed(team)} />}
        {!tall && <AttachTool addFiles={addFiles} />}
        <textarea
          ref={field}
          className={`${styles.input} ${tall ? styles.tall : ''}`}
          aria-label={label}
          placeholder={placeholder}
          value={draft.text}
          rows={tall ? 5 : 1}
          onChange={(event) => {
            write(event.target.value);
            // Before it is sent, nobody sees where a new message will be.
            if (!tall) noteWriting(me, props.target, event.target.value);
            suggestions.onChange(event);
          }}
          onKeyDown={onKeyDown}
          onPaste={paste.onPaste}
          {...suggestions.wiring}
        />
        <SuggestionList suggestions={suggestions} />
        {team !== undefined && <CallWarning team={team} text={draft.text} />}
        {team !== undefined && <NotThere team={team} names={called} close={() => setCalled([])} />}
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
        <ComposerTools
          left={left}
          isEmpty={isEmpty}
          send={send}
          sendLater={mayWait ? composing.sendLater : undefined}
        >
          {tall && <AttachTool addFiles={addFiles} />}
          <EmojiTool insert={insert} />
          <FormattingTools formatting={formatting} />
        </ComposerTools>
        {later?.kind === 'schedule' && (
          <ScheduleDialog message={later.message} onClose={endLater} onDone={clear} />
        )}
        {later?.kind === 'remind' && <RemindDialog typed={later.typed} onClose={endLater} onDone={clear} />}
      </div>
    </>
  );
}

/** A command that posts nothing is shown as it stands. */
function previewOf(text: string): string {
  const meant = meantBy(text);
  return meant.kind === 'post' ? meant.text : text;
}

/** What the preview knows of the message. */
const previewed = (team: string | undefined) => ({
  mentions: [],
  via_app: null,
  ...(team !== undefined && { addressed_teams: [team] }),
});
