import { type KeyboardEvent, type ReactNode, type TextareaHTMLAttributes, useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { FormatTools } from '../compose/format-tools.tsx';
import { useFormatting } from '../compose/use-formatting.ts';
import { useControl, useElementValue, useLabelled, useName } from './element-value.tsx';
import styles from './elements.module.css';
import { useSettled } from './settle.ts';
import { type ElementOf, initialOf } from './values.ts';
import { plainOf, Formatted as Shown } from './words.tsx';

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
  const control = useControl();
  const name = useName(placeholder, t('text'));
  const held = useElementValue(element, initialOf(element) as string);
  const tellSettled = useSettled(SETTLES_MS);
  const on = dispatches?.trigger_actions_on ?? ['on_enter_pressed'];
  const change = (text: string) => {
    held.hold(text);
    if (labelled?.isTold && on.includes('on_character_entered')) tellSettled(() => held.tell(text));
  };
  const isLong = type === 'rich_text_input' || (type === 'plain_text_input' && element.multiline === true);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isLong || event.nativeEvent.isComposing) return;
    if (!labelled || (labelled.isTold && on.includes('on_enter_pressed'))) {
      // Its application hears of it. It does not submit the form around it, too.
      event.preventDefault();
      held.tell(held.value);
    }
  };
  const shared = {
    ...control,
    className: styles.control,
    'aria-label': name,
    placeholder: placeholder && plainOf(placeholder),
    disabled: !held.isAble,
    value: held.value,
    dir: 'auto',
    onChange: ({ target }: { target: { value: string } }) => change(target.value),
    onKeyDown,
  };
  if (type === 'rich_text_input')
    return (
      <Formatted
        {...shared}
        aria-describedby={[control['aria-describedby'], id].filter(Boolean).join(' ')}
        rows={element.min_lines}
        id={id}
        dialog={held.dialog}
      />
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

/** A text with formatting: the buttons and keys of the field for messages. */
function Formatted(
  props: TextareaHTMLAttributes<HTMLTextAreaElement> & {
    id: string;
    rows: number | undefined;
    dialog: ReactNode;
  },
) {
  const { id, rows = 3, dialog, onKeyDown, ...rest } = props;
  const t = useTranslations('blocks');
  const field = useRef<HTMLTextAreaElement>(null);
  const formatting = useFormatting(field, true);
  return (
    <div className={styles.wide}>
      {!rest.disabled && <FormatTools formatting={formatting} />}
      {formatting.previewing ? (
        <div className={styles.previewed}>
          <Shown text={String(rest.value)} />
        </div>
      ) : (
        <textarea
          {...rest}
          ref={field}
          rows={Math.min(rows, MOST_ROWS)}
          onKeyDown={(event) => formatting.onKey(event) || onKeyDown?.(event)}
        />
      )}
      <p id={id} className={styles.hint}>
        {t('formatted')}
      </p>
      {dialog}
    </div>
  );
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
