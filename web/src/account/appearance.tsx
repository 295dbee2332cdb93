import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { chooseTheme, readTheme, THEMES, type Theme } from '../design/theme.ts';
import { useFailureText } from '../text/failure.ts';
import { chooseLanguage, LANGUAGES, type Language } from '../text/index.tsx';
import { Choices } from './choices.tsx';
import { changeMe } from './queries.ts';
import { SettingsPage } from './settings-page.tsx';

/** The theme belongs to this browser. The language does too, and mails follow the latest choice. */
export function AppearanceSettings() {
  const t = useTranslations('account.appearance');
  const language = useLocale() as Language;
  const [theme, setTheme] = useState(readTheme);
  const failure = useFailureText();
  const speak = useMutation({
    mutationFn: (next: Language) => changeMe({ language: next }),
    onSuccess: (_me, next) => chooseLanguage(next),
  });
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <SettingsPage tab="appearance">
      <Card title={t('theme')} lead={t('themeLead')}>
        <Choices
          label={t('theme')}
          name="theme"
          chosen={theme}
          onChoose={choose}
          choices={THEMES.map((value) => ({ value, label: t(value) }))}
        />
      </Card>
      <Card title={t('language')} lead={t('languageLead')}>
        <Choices
          label={t('language')}
          name="language"
          chosen={language}
          onChoose={(next) => speak.mutate(next)}
          choices={(Object.keys(LANGUAGES) as Language[]).map((value) => ({
            value,
            label: LANGUAGES[value],
            lang: value,
          }))}
        />
        {speak.error && <Notice kind="danger">{failure(speak.error)}</Notice>}
      </Card>
    </SettingsPage>
  );
}
