import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Card } from '../design/page.tsx';
import { chooseTheme, readTheme, THEMES, type Theme } from '../design/theme.ts';
import { chooseLanguage, LANGUAGES, type Language } from '../text/index.tsx';
import { Choices } from './choices.tsx';
import { SettingsPage } from './settings-page.tsx';

/** Settings of this browser, not of the account. */
export function AppearanceSettings() {
  const t = useTranslations('account.appearance');
  const language = useLocale() as Language;
  const [theme, setTheme] = useState(readTheme);
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
          onChoose={chooseLanguage}
          choices={(Object.keys(LANGUAGES) as Language[]).map((value) => ({
            value,
            label: LANGUAGES[value],
            lang: value,
          }))}
        />
      </Card>
    </SettingsPage>
  );
}
