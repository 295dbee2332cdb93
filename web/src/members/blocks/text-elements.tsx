import { type KeyboardEvent, useId } from 'react';
import { useTranslations } from 'use-intl';
import styles from './elements.module.css';
import { useHeld, useLabelled, useName } from './held.tsx';
import { useSettled } from './settle.ts';
import { type ElementOf, initialOf } from './values.ts';
import { plainOf } from './words.tsx';

type Texts = ElementOf<
  'plain_text_input' | 'number_input' | 'email_text_input' | 'url_text_input' | 'rich_text_input'
>;

const TYPES = { email_text_input: 'email', url_text_input: 'url', plain_text_input: 'text' } as const;
const SETTLES_MS = 600;

/** A text of one line or more. */
export function TextElement({ element }: { element: Texts }) {
  const t = useTranslations('blocks');
  const id = useId();
  const { type, placeholder, dispatch_action_config: dispatches } = element;
  const labelled = useLabelled();
  const name = useName(placeholder, t('text'));
  const held = useHeld(element, initialOf(element) as string);
  const tellSettled = useSettled(SETTLES_MS);
  const on = dispatches?.trigger_actions_on ?? ['on_enter_pressed'];
  const change = (text: string) => {
    held.hold(text);
    if (labelled?.isTold && on.includes('on_character_entered')) tellSettled(() => held.tell(text));
  };
  const isLong = type === 'rich_text_input' || (type === 'plain_text_input' && element.multiline === true);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isLong || event.nativeEvent.isComposing) return;
    if (!labelled || (labelled.isTold && on.includes('on_enter_pressed'))) held.tell(held.value);
  };
  const shared = {
    className: styles.control,
    'aria-label': name,
    'aria-describedby': type === 'rich_text_input' ? id : undefined,
    placeholder: placeholder && plainOf(placeholder),
    disabled: !held.isAble,
    value: held.value,
    dir: 'auto',
    onChange: ({ target }: { target: { value: string } }) => change(target.value),
    onKeyDown,
  };
  if (type === 'rich_text_input')
    return (
      <div className={styles.wide}>
        <textarea {...shared} rows={Math.min(element.min_lines ?? 3, MOST_ROWS)} />
        <p id={id} className={styles.hint}>
          {t('formatted')}
        </p>
        {held.dialog}
      </div>
    );
  if (type === 'plain_text_input') {
    const lengths = { minLength: element.min_length, maxLength: element.max_length };
    return element.multiline ? (
      <textarea {...shared} {...lengths} rows={3} />
    ) : (
      <input {...shared} {...lengths} type="text" />
    );
  }
  if (type === 'number_input')
    return (
      <input
        {...shared}
        type="number"
        dir="ltr"
        inputMode={element.is_decimal_allowed ? 'decimal' : 'numeric'}
        step={element.is_decimal_allowed ? 'any' : 1}
        min={element.min_value}
        max={element.max_value}
      />
    );
  return <input {...shared} type={TYPES[type]} dir="ltr" />;
}

const MOST_ROWS = 12;

/** Says why it cannot be used yet. */
export function FileElement() {
  const t = useTranslations('blocks');
  const id = useId();
  return (
    <div className={styles.wide}>
      <input
        type="file"
        className={styles.control}
        disabled
        aria-label={useName(undefined, t('file'))}
        aria-describedby={id}
      />
      <p id={id} className={styles.hint}>
        {t('noFiles')}
      </p>
    </div>
  );
}
