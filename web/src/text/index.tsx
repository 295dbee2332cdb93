import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import type en from './en/index.ts';
import type { Texts } from './shape.ts';

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof en;
  }
}

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;
const CHOICE = 'parley.language';

/** The chosen language, else the first of the browser's languages that we have, else English. */
export function readLanguage(): Language {
  const known = (tag: string | null): tag is Language => tag !== null && tag in LANGUAGES;
  const chosen = localStorage.getItem(CHOICE);
  if (known(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.split('-')[0] ?? '').find(known) ?? 'en';
}

/** A change of the language affects all texts, so the page is reloaded. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(CHOICE, language);
  location.reload();
}

/** Each language is a file of its own. */
export async function loadTexts(language: Language): Promise<Texts> {
  const { default: texts } = await (language === 'de'
    ? import('virtual:texts/de')
    : import('virtual:texts/en'));
  return texts;
}

/** Dates and numbers follow the reader's region: 21/11 or 11/21. Some systems report an invalid language. */
const localeOf = (language: Language) =>
  navigator.languages.find((tag) => tag.split('-')[0] === language && isLocale(tag)) ?? language;

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Gives every view its texts, numbers and times in one language. */
export function TextProvider(props: { language: Language; texts: Texts; children: ReactNode }) {
  return (
    <IntlProvider
      locale={localeOf(props.language)}
      messages={props.texts as typeof en}
      timeZone={timeZone}
      // A text that lacks a value is a mistake in the program: the tests look for it in the console.
      onError={(error) => console.error(error)}
    >
      {props.children}
    </IntlProvider>
  );
}
