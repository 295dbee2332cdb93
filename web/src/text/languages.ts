/** The languages of the web application, each in its own words. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', ar: 'العربية' } as const;
export type Language = keyof typeof LANGUAGES;

export const directionOf = (language: string): 'ltr' | 'rtl' => (language.startsWith('ar') ? 'rtl' : 'ltr');

/**
 * The locale of numbers and times. Browsers disagree on the digits of Arabic, its regions on the calendar, and our texts
 * and code hold Western digits: so these and the Gregorian calendar hold for all of it.
 */
export const localeOf = (language: Language, tag: string): string =>
  language === 'ar' ? new Intl.Locale(tag, { calendar: 'gregory', numberingSystem: 'latn' }).toString() : tag;

/** A text of another direction, kept from changing the order of those around it (UAX #9, first strong isolate). */
export const isolated = (text: string): string => `\u2068${text}\u2069`;
