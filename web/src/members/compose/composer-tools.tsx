import { CalendarClock, Plus, SendHorizontal, Smile } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button, IconButton } from '../../design/button.tsx';
import { EmojiDialog } from '../../emoji/emoji-dialog.tsx';
import styles from './composer.module.css';
import { NEAR } from './use-writing.ts';

/** Below the field: what is put into it, the number of characters left near the limit, and sending. */
export function ComposerTools(props: {
  left: number;
  isEmpty: boolean;
  send: () => void;
  /** Undefined where nothing can be sent later. */
  sendLater: (() => void) | undefined;
  /** The buttons that change the draft. */
  children: ReactNode;
}) {
  const { left, isEmpty, send, sendLater, children } = props;
  const t = useTranslations('members.composer');
  return (
    <div className={styles.toolRoom}>
      <div className={styles.tools}>
        {children}
        <span className={styles.keys}>{t('keys')}</span>
        <Left count={left} />
        {sendLater && (
          <IconButton
            small
            className={styles.later}
            label={t('sendLater')}
            aria-haspopup="dialog"
            onClick={sendLater}
          >
            <CalendarClock size={18} aria-hidden />
          </IconButton>
        )}
        <Button small look="primary" aria-disabled={isEmpty} onClick={send}>
          <SendHorizontal size={16} aria-hidden />
          <span className={styles.send}>{t('send')}</span>
        </Button>
      </div>
    </div>
  );
}

/** Attaches files. */
export function AttachTool({ addFiles }: { addFiles: (files: readonly File[]) => void }) {
  const t = useTranslations('members.composer');
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
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
      <IconButton
        small
        className={styles.attach}
        label={t('attach')}
        onClick={() => chooser.current?.click()}
      >
        <Plus size={20} aria-hidden />
      </IconButton>
    </>
  );
}

/** Inserts emoji. */
export function EmojiTool({ insert }: { insert: (text: string) => void }) {
  const t = useTranslations('members.composer');
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <span className={styles.emoji}>
        <IconButton small label={t('emoji')} onClick={() => setChoosing(true)}>
          <Smile size={18} aria-hidden />
        </IconButton>
      </span>
      {choosing && (
        <EmojiDialog
          onClose={() => setChoosing(false)}
          onChoose={(emoji) => {
            setChoosing(false);
            insert(emoji);
          }}
        />
      )}
    </>
  );
}

/** How many characters are left, near the limit. */
export function Left({ count }: { count: number }) {
  const t = useTranslations('members.composer');
  if (count >= NEAR) return null;
  return (
    <span className={count < 0 ? styles.note : styles.left} role="status">
      {count < 0 ? t('tooLong', { count: -count }) : t('left', { count })}
    </span>
  );
}
