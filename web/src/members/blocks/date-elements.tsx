import type { InputHTMLAttributes } from 'react';
import { useTranslations } from 'use-intl';
import { useControl, useElementValue, useLabelled, useName } from './element-value.tsx';
import styles from './elements.module.css';
import { useSettled } from './settle.ts';
import { type ElementOf, initialOf } from './values.ts';

type Dates = ElementOf<'datepicker'> | ElementOf<'timepicker'> | ElementOf<'datetimepicker'>;

export function DateElement({ element }: { element: ElementOf<'datepicker'> }) {
  const t = useTranslations('blocks');
  return <Native element={element} type="date" name={useName(element.placeholder, t('date'))} />;
}

export function TimeElement({ element }: { element: ElementOf<'timepicker'> }) {
  const t = useTranslations('blocks');
  return <Native element={element} type="time" name={useName(element.placeholder, t('time'))} />;
}

/** A moment in the reader's own zone. */
export function MomentElement({ element }: { element: ElementOf<'datetimepicker'> }) {
  const t = useTranslations('blocks');
  return (
    <Native
      element={element}
      type="datetime-local"
      name={useName(undefined, t('dateTime'))}
      shown={localOf}
      read={(local) => (local === '' ? '' : String(Math.floor(new Date(local).getTime() / 1000)))}
    />
  );
}

/** Seconds since 1970 as the browser's field has them. */
function localOf(seconds: string): string {
  if (seconds === '') return '';
  const date = new Date(Number(seconds) * 1000);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

const same = (text: string) => text;
/** Typing a date goes through others. */
const SETTLES_MS = 1500;

/** The browser's own field, which each device shows in the way its users know. */
function Native(props: {
  element: Dates;
  type: InputHTMLAttributes<HTMLInputElement>['type'];
  name: string;
  shown?: (value: string) => string;
  read?: (text: string) => string;
}) {
  const { element, type, name, shown = same, read = same } = props;
  const held = useElementValue(element, initialOf(element) as string);
  const tellSettled = useSettled(SETTLES_MS);
  const labelled = useLabelled();
  const change = (text: string) => {
    const next = read(text);
    held.hold(next);
    if (next !== '') tellSettled(() => held.tell(next));
  };
  return (
    <span className={styles.native}>
      {!labelled && (
        <span className={styles.small} aria-hidden>
          {name}
        </span>
      )}
      <input
        {...useControl()}
        className={styles.control}
        type={type}
        aria-label={name}
        title={name}
        disabled={!held.isAble}
        value={shown(held.value)}
        onChange={({ target }) => change(target.value)}
      />
      {held.dialog}
    </span>
  );
}
