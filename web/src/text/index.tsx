import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { keepPreference, readPreference } from '../storage/preferences.ts';
import type en from './en/index.ts';
import { LANGUAGES, type Language, localeOf } from './languages.ts';
import type { TextPart, Texts } from './shape.ts';

export type { TextPart } from './shape.ts';

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof en;
  }
}

const CHOICE = 'language';

/** The chosen language, else the first of the browser's languages that we have, else English. */
export function readLanguage(): Language {
  const known = (tag: string | null): tag is Language => tag !== null && Object.hasOwn(LANGUAGES, tag);
  const chosen = readPreference(CHOICE);
  if (known(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.split('-')[0] ?? '').find(known) ?? 'en';
}

/** A change of the language affects all texts, so the page is reloaded. */
export function chooseLanguage(language: Language): void {
  keepPreference(CHOICE, language);
  location.reload();
}

/** Each language is a file of its own, and a file for each part. */
const LOADERS: Readonly<Record<Language, () => Promise<typeof import('virtual:texts/en')>>> = {
  en: () => import('virtual:texts/en'),
  de: () => import('virtual:texts/de'),
  ar: () => import('virtual:texts/ar'),
};

let loading: Promise<typeof import('virtual:texts/en')> | undefined;

/** The texts that every view needs. Those of a part are added to them once one of its views is opened. */
export async function loadTexts(language: Language): Promise<Texts> {
  loading ??= LOADERS[language]();
  return (await loading).default as Texts;
}

export async function loadTextsOf(part: TextPart): Promise<void> {
  const loaded = await loading;
  if (loaded && !loaded.default[part])
    Object.assign(loaded.default, { [part]: (await loaded.parts[part]()).default });
}

/** Dates and numbers follow the reader's region: 21/11 or 11/21. Some systems report an invalid language. */
const regionOf = (language: Language) =>
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
      locale={localeOf(props.language, regionOf(props.language))}
      messages={props.texts as typeof en}
      timeZone={timeZone}
      // A text that lacks a value is a mistake in the program: the tests look for it in the console.
      onError={(error) => console.error(error)}
    >
      {props.children}
    </IntlProvider>
  );
}
