import { useTranslations } from 'use-intl';
import { BUILT_IN } from './commands.ts';
import styles from './composer.module.css';
import type { Suggestion } from './suggestion.ts';

/** @param typed the beginning of a name behind a slash, where commands can be written */
export function useCommandSuggestions(typed: string | undefined): readonly Suggestion[] {
  const t = useTranslations('shell.commands');
  if (typed === undefined) return [];
  const begun = typed.toLowerCase();
  // A complete name needs no suggestion: Enter sends it.
  return BUILT_IN.filter((name) => name.startsWith(begun) && name !== begun).map((name) => ({
    key: name,
    text: `/${name} `,
    shown: (
      <>
        <bdi>/{name}</bdi>
        {name === 'me' && <bdi className={styles.detail}>{t('me.hint')}</bdi>}
        <span className={styles.personTitle}>{t(`${name}.does`)}</span>
      </>
    ),
  }));
}
