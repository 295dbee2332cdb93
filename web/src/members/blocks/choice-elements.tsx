import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { Option } from '../../api/types.ts';
import { type ElementValue, useElementValue, useLabelled, useName } from './element-value.tsx';
import styles from './elements.module.css';
import { useSettled } from './settle.ts';
import { type ElementOf, initialOf, type Value } from './values.ts';
import { Words } from './words.tsx';

/** Each of several may be chosen. */
export function CheckboxesElement({ element }: { element: ElementOf<'checkboxes'> }) {
  const held = useElementValue(element, initialOf(element) as readonly string[]);
  const toggled = (value: string) =>
    element.options
      .map((option) => option.value)
      .filter((one) => held.value.includes(one) !== (one === value));
  return (
    <Choices
      type="checkbox"
      {...{ element, held }}
      isChosen={(value) => held.value.includes(value)}
      next={toggled}
    />
  );
}

/** One of several. */
export function RadioElement({ element }: { element: ElementOf<'radio_buttons'> }) {
  const held = useElementValue(element, initialOf(element) as string);
  return (
    <Choices
      type="radio"
      {...{ element, held }}
      isChosen={(value) => held.value === value}
      next={(value) => value}
    />
  );
}

function Choices<V extends Value>(props: {
  type: 'checkbox' | 'radio';
  element: { readonly options: readonly Option[] };
  held: ElementValue<V>;
  isChosen: (value: string) => boolean;
  /** What is held once an option was pressed. */
  next: (value: string) => V;
}) {
  const { type, element, held, isChosen, next } = props;
  const t = useTranslations('blocks');
  const name = useId();
  const labelled = useLabelled();
  const tellSettled = useSettled(SETTLES_MS);
  const change = (value: string) => {
    const chosen = next(value);
    held.hold(chosen);
    tellSettled(() => held.tell(chosen));
  };
  return (
    <fieldset
      className={styles.choices}
      disabled={!held.isAble}
      aria-describedby={labelled?.described}
      data-invalid={labelled?.isWrong}
    >
      <legend className="visually-hidden">{useName(undefined, t('choices'))}</legend>
      {element.options.map((option) => (
        <Choice
          key={option.value}
          {...{ type, name, option }}
          checked={isChosen(option.value)}
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
  name: string;
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
