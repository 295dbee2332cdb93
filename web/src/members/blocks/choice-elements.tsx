import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { Option } from '../../api/types.ts';
import styles from './elements.module.css';
import { useHeld, useName } from './held.tsx';
import { useSettled } from './settle.ts';
import { type ElementOf, initialOf } from './values.ts';
import { Words } from './words.tsx';

/** Each of several may be chosen. */
export function CheckboxesElement({ element }: { element: ElementOf<'checkboxes'> }) {
  const t = useTranslations('blocks');
  const held = useHeld(element, initialOf(element) as readonly string[]);
  const tellSettled = useSettled(SETTLES_MS);
  const change = (value: string) => {
    const next = element.options
      .map((option) => option.value)
      .filter((one) => held.value.includes(one) !== (one === value));
    held.hold(next);
    tellSettled(() => held.tell(next));
  };
  return (
    <fieldset className={styles.choices} disabled={!held.isAble}>
      <legend className="visually-hidden">{useName(undefined, t('choices'))}</legend>
      {element.options.map((option) => (
        <Choice
          key={option.value}
          type="checkbox"
          option={option}
          checked={held.value.includes(option.value)}
          onChange={() => change(option.value)}
        />
      ))}
      {held.dialog}
    </fieldset>
  );
}

/** One of several. */
export function RadioElement({ element }: { element: ElementOf<'radio_buttons'> }) {
  const t = useTranslations('blocks');
  const name = useId();
  const held = useHeld(element, initialOf(element) as string);
  const tellSettled = useSettled(SETTLES_MS);
  const change = (value: string) => {
    held.hold(value);
    tellSettled(() => held.tell(value));
  };
  return (
    <fieldset className={styles.choices} disabled={!held.isAble}>
      <legend className="visually-hidden">{useName(undefined, t('choices'))}</legend>
      {element.options.map((option) => (
        <Choice
          key={option.value}
          type="radio"
          name={name}
          option={option}
          checked={held.value === option.value}
          onChange={() => change(option.value)}
        />
      ))}
      {held.dialog}
    </fieldset>
  );
}

const SETTLES_MS = 500;

function Choice(props: {
  type: 'checkbox' | 'radio';
  name?: string;
  option: Option;
  checked: boolean;
  onChange: () => void;
}) {
  const { option, ...rest } = props;
  return (
    <label className={styles.choice}>
      <input {...rest} />
      <span className={styles.option}>
        <Words text={option.text} />
        {option.description && (
          <span className={styles.soft}>
            <Words text={option.description} />
          </span>
        )}
      </span>
    </label>
  );
}
