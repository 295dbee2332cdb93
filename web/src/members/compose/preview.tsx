import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl';
import { isSeen } from '#platform/text/seen.ts';
import { MessageText } from '../text/message-text.tsx';
import styles from './composer.module.css';
import { useSettled } from './use-settled.ts';

/** A name that is being typed is asked for once it stands. */
const AFTER_MS = 150;

/** What is written, as its message will look. */
export function Preview({ text, message }: ComponentProps<typeof MessageText>) {
  const t = useTranslations('members.format');
  const settled = useSettled(text, AFTER_MS);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one is moved with the keyboard (WCAG 2.1.1)
    <section className={styles.shown} aria-label={t('preview')} tabIndex={0}>
      {isSeen(settled) ? (
        <MessageText text={settled} message={message} />
      ) : (
        <p className={styles.keys}>{t('nothing')}</p>
      )}
    </section>
  );
}
