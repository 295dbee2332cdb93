import type { useFormatter } from 'use-intl';

type Formatter = Pick<ReturnType<typeof useFormatter>, 'dateTime' | 'relativeTime'>;

const DATE = { dateStyle: 'medium' } as const;
const SHORT = { month: 'short', day: 'numeric', year: 'numeric' } as const;

/** What stands in braces in the format of a `date` of rich text, without `_pretty`: here each language has its own ways. */
const FORMS: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  date_num: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date_slash: { dateStyle: 'short' },
  date: DATE,
  date_short: SHORT,
  date_long: { dateStyle: 'full' },
  date_short_weekday: { ...SHORT, weekday: 'short' },
  date_long_full: { dateStyle: 'full' },
  day_divider: { dateStyle: 'full' },
  time: { timeStyle: 'short' },
  time_secs: { timeStyle: 'medium' },
};

/** @returns a time as its format says, in the reader's language and zone; a name that is not known stays as it is */
export const momentText = (format: string, seconds: number, { dateTime, relativeTime }: Formatter): string =>
  format.replaceAll(/\{(\w{1,40})\}/g, (whole, name: string) => {
    const date = new Date(seconds * 1000);
    if (name === 'ago') return relativeTime(date, new Date());
    const form = FORMS[name.replace(/_pretty$/, '')];
    return form ? dateTime(date, form as Parameters<Formatter['dateTime']>[1] & object) : whole;
  });
