import { useFormatter } from 'use-intl';

/** A time in the reader's zone: short, and in full when it is pointed at. @param props.at seconds since 1970 */
export function Time({ at, style = 'short' }: { at: number; style?: 'short' | 'time' | 'full' }) {
  const format = useFormatter();
  const date = new Date(at * 1000);
  const full = format.dateTime(date, { dateStyle: 'full', timeStyle: 'medium' });
  return (
    <time dateTime={date.toISOString()} title={full}>
      {style === 'full'
        ? format.dateTime(date, { dateStyle: 'medium', timeStyle: 'medium' })
        : format.dateTime(date, style === 'time' ? { timeStyle: 'short' } : shortStyle(date))}
    </time>
  );
}

/** @returns a day only where it is not today */
export function shortStyle(date: Date) {
  if (date.toDateString() === new Date().toDateString()) return { timeStyle: 'short' } as const;
  const sameYear = date.getFullYear() === new Date().getFullYear();
  return sameYear
    ? ({ month: 'short', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const)
    : ({ dateStyle: 'medium' } as const);
}
