import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { chooseLook, LOOKS, type Look, type LookOf, readLook } from '../design/look.ts';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { useFailureText } from '../text/failure.ts';
import { chooseLanguage, readLanguage } from '../text/index.tsx';
import { LANGUAGES, type Language } from '../text/languages.ts';
import { Choices } from './choices.tsx';
import { LinkPreviewChoices } from './link-previews.tsx';
import { changeMe } from './queries.ts';
import { SettingsPage } from './settings-page.tsx';
import { TypingChoices } from './typing.tsx';

/** The looks belong to this browser. The language does too, and mails follow the latest choice. */
export function AppearanceSettings() {
  const t = useTranslations('account.appearance');
  const language = readLanguage();
  const failure = useFailureText();
  const speak = useMutation({
    mutationFn: (next: Language) => changeMe({ language: next }),
    onSuccess: (_me, next) => chooseLanguage(next),
  });
  return (
    <SettingsPage tab="appearance">
      <LookChoice which="theme" />
      <LookChoice which="density" />
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
      <LinkPreviewChoices />
      <TypingChoices />
    </SettingsPage>
  );
}

function LookChoice({ which }: { which: Look }) {
  const t = useTranslations(`account.appearance.${which}`);
  const label = t as (value: LookOf<Look>) => string;
  const [chosen, setChosen] = useState<LookOf<Look>>(() => readLook(which));
  const choose = (next: LookOf<Look>) => {
    chooseLook(which, next);
    setChosen(next);
  };
  return (
    <Card title={t('title')} lead={t('lead')}>
      <Choices
        label={t('title')}
        name={which}
        chosen={chosen}
        onChoose={choose}
        choices={LOOKS[which].map((value) => ({ value, label: label(value) }))}
      />
    </Card>
  );
}
