import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../design/button.tsx';
import { Whose } from './dialog-head.tsx';
import styles from './form.module.css';

/** A form as its dialog shows it, in a page. */
export function FormPreview(props: {
  application: { readonly id: string; readonly name: string; readonly icon: string };
  /** Of its title and its buttons. */
  words: {
    readonly title?: string | undefined;
    readonly submit?: string | undefined;
    readonly close?: string | undefined;
  };
  onSubmit: () => void;
  /** Its blocks. */
  children: ReactNode;
}) {
  const { application, words, onSubmit, children } = props;
  const t = useTranslations('blocks');
  const { name } = application;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div className={styles.preview} role="group" aria-label={t('frame', { name })}>
      <Whose application={application} />
      {words.title !== undefined && (
        <h3 className={styles.title} dir="auto">
          {words.title}
        </h3>
      )}
      <p className={styles.note}>{t('form.goesTo', { name })}</p>
      <form
        className={styles.form}
        autoComplete="off"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (words.submit !== undefined) onSubmit();
        }}
      >
        {children}
        <div className={styles.actions}>
          <Button disabled>
            <bdi>{words.close ?? t('form.close')}</bdi>
          </Button>
          {words.submit !== undefined && (
            <Button type="submit" look="primary">
              <bdi>{words.submit}</bdi>
            </Button>
          )}
        </div>
      </form>
    </div>
  );
}
