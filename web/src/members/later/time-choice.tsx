import { useEffect, useState } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import styles from './later.module.css';
import { readTime, wallTimeOf } from './typed-time.ts';

const HOUR_MS = 3_600_000;
const MORNING = 9;
const MONDAY = 1;
const WEEK = 7;

/** A time as the server takes it: the reader's wall, and its zone. */
export const wallTime = (local: string) => ({ local, zone: ownZone() });

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const inAnHour = () => new Date(Date.now() + HOUR_MS);

/** In so many days at nine. */
function morningIn(days: number): Date {
  const day = new Date();
  day.setDate(day.getDate() + days);
  day.setHours(MORNING, 0, 0, 0);
  return day;
}

const daysToMonday = () => (MONDAY - new Date().getDay() + WEEK) % WEEK || WEEK;

/** @returns what says a wall time with its day and zone */
export function useTimeText(): (local: string, zone?: string) => string {
  const t = useTranslations('members.later');
  const format = useFormatter();
  return (local, zone = ownZone()) => {
    const date = new Date(local);
    const sameYear = date.getFullYear() === new Date().getFullYear();
    const time = format.dateTime(date, {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      ...(!sameYear && { year: 'numeric' }),
      hour: 'numeric',
      minute: '2-digit',
    });
    return t('at', { time, zone });
  };
}

/**
 * Chooses a time: some that are usual, one that is typed in words, or by the browser's own field. What is chosen is shown
 * before anything is saved.
 * @param props.local the wall time; empty while there is none
 */
export function TimeChoice(props: {
  local: string;
  choose: (local: string) => void;
  error?: string | undefined;
}) {
  const { local, choose, error } = props;
  const t = useTranslations('members.later');
  const language = useLocale();
  const timeText = useTimeText();
  const format = useFormatter();
  const [typed, setTyped] = useState('');
  const [unknown, setUnknown] = useState(false);
  useEffect(() => {
    if (typed.trim() === '') return setUnknown(false);
    let isOver = false;
    readTime(typed, language).then(
      (found) => {
        if (isOver) return;
        setUnknown(!found);
        if (found) choose(found.local);
      },
      () => setUnknown(true),
    );
    return () => {
      isOver = true;
    };
  }, [typed, language, choose]);
  const preset = (date: Date) => {
    setTyped('');
    choose(wallTimeOf(date));
  };
  const toMonday = daysToMonday();
  const date = format.dateTime(morningIn(toMonday), { day: 'numeric', month: 'long' });
  const isPast = local !== '' && new Date(local).getTime() <= Date.now();
  return (
    <>
      <div className={styles.presets}>
        <Button small onClick={() => preset(inAnHour())}>
          {t('inAnHour')}
        </Button>
        <Button small onClick={() => preset(morningIn(1))}>
          {t('tomorrow')}
        </Button>
        {/* On a Sunday that is tomorrow, and on a Monday not today. */}
        {toMonday > 1 && (
          <Button small onClick={() => preset(morningIn(toMonday))}>
            {toMonday < WEEK ? t('monday') : t('nextMonday', { date })}
          </Button>
        )}
      </div>
      <TextField
        label={t('typed')}
        hint={t('typedHint')}
        value={typed}
        autoComplete="off"
        data-begins=""
        onChange={({ target }) => setTyped(target.value)}
        error={unknown ? t('unknown') : undefined}
      />
      <TextField
        label={t('exact')}
        type="datetime-local"
        name="local"
        required
        value={local}
        onChange={({ target }) => choose(target.value)}
        error={error ?? (isPast ? t('past') : undefined)}
      />
      <p role="status" className={styles.preview}>
        {local === '' ? t('none') : <bdi>{timeText(local)}</bdi>}
      </p>
    </>
  );
}
