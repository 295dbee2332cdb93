import { useFormatter } from 'use-intl';
import { signal } from '../api/signal.ts';

const MINUTE_MS = 60_000;
const startOfToday = () => new Date().setHours(0, 0, 0, 0);
const today = signal(startOfToday());

// It is looked at often: a timer until midnight stops while a device sleeps.
setInterval(() => today.set(startOfToday()), MINUTE_MS);

/** @returns the start of today in milliseconds */
export const useToday = () => today.useValue();

/** A time in the reader's zone: short, and in full when it is pointed at. @param props.at seconds since 1970 */
export function Time({ at, style = 'short' }: { at: number; style?: 'short' | 'time' | 'full' }) {
  const format = useFormatter();
  // On the next day, an hour alone would be read as one of that day.
  useToday();
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
