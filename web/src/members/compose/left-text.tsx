import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../design/button.tsx';
import { ClipboardButton } from '../../design/copy.tsx';
import { Notice } from '../../design/notice.tsx';
import { kept, useKept } from '../../storage/kept.ts';
import { bytesOf } from '../../storage/texts.ts';
import type { Draft } from '../state/drafts.ts';
import styles from './composer.module.css';

/**
 * A text that can no longer be sent, in place of the field in which it was written. Nothing, where there is none.
 * @param props.name by which it is kept
 * @param props.children why it cannot be sent
 */
export function LeftText({ name, children }: { name: string; children?: ReactNode }) {
  const t = useTranslations('members.left');
  const common = useTranslations('common');
  const left = useKept<Partial<Draft>>(name);
  const field = useRef<HTMLTextAreaElement>(null);
  if (!left) return null;
  const { text = '', files = [] } = left;
  const discard = () => {
    kept.remove(name);
    for (const bytes of bytesOf(left)) kept.removeFile(bytes);
  };
  return (
    <div className={styles.left}>
      {children && <Notice kind="warning">{children}</Notice>}
      <textarea
        ref={field}
        className={styles.leftText}
        aria-label={t('label')}
        value={text}
        rows={2}
        readOnly
      />
      {files.length > 0 && <p>{t('files', { names: files.map((file) => file.name).join(', ') })}</p>}
      <div className={styles.editActions}>
        <ClipboardButton text={text} shown={field} />
        <Button small look="quiet" onClick={discard}>
          {common('discard')}
        </Button>
      </div>
    </div>
  );
}
