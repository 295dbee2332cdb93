import { type RefObject, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import styles from './builder.module.css';

/** A text with the numbers of its lines. @param props.marked lines with a fault */
export function JsonEditor(props: {
  label: string;
  value: string;
  marked: ReadonlySet<number>;
  /** The id of what is said of faults. */
  describedBy: string;
  field: RefObject<HTMLTextAreaElement | null>;
  onChange: (text: string) => void;
}) {
  const { label, value, marked, describedBy, field, onChange } = props;
  const id = useId();
  const [top, setTop] = useState(0);
  const count = value.split('\n').length;
  return (
    <div className={styles.editor}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.lines} dir="ltr">
        <div className={styles.gutter} aria-hidden>
          <ol style={{ translate: `0 ${-top}px` }}>
            {Array.from({ length: count }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are numbers
              <li key={at} data-marked={marked.has(at + 1)}>
                {at + 1}
              </li>
            ))}
          </ol>
        </div>
        <textarea
          ref={field}
          id={id}
          className={styles.json}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          aria-describedby={describedBy}
          aria-invalid={marked.size > 0}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
        />
      </div>
    </div>
  );
}

/** A fault, and the line where it is. */
export interface Fault {
  readonly line: number;
  /** The way to the field, as `blocks[3].text`; empty for a text that is not JSON. */
  readonly path: string;
  readonly message: string;
}

/** What is wrong. Each one leads to its line. */
export function Faults({
  id,
  faults,
  onOpen,
}: {
  id: string;
  faults: readonly Fault[];
  onOpen: (line: number) => void;
}) {
  const t = useTranslations('developers.builder');
  return (
    <div id={id} role="status" className={styles.faults}>
      {faults.length > 0 && (
        <>
          <p className={styles.label}>{t('faults', { count: faults.length })}</p>
          <ul>
            {faults.map(({ line, path, message }) => (
              <li key={`${line} ${path} ${message}`}>
                <button type="button" className={styles.fault} onClick={() => onOpen(line)}>
                  <span className={styles.line}>{t('line', { line })}</span>
                  <span dir="ltr">
                    {path !== '' && <code>{path}</code>} {message}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Puts the caret on a line, and brings it into sight. */
export function openLine(field: HTMLTextAreaElement | null, line: number): void {
  if (!field) return;
  const before = field.value.split('\n').slice(0, line - 1);
  const start = before.join('\n').length + (before.length > 0 ? 1 : 0);
  const end = field.value.indexOf('\n', start);
  field.focus();
  field.setSelectionRange(start, end === -1 ? field.value.length : end);
  const height = field.scrollHeight / field.value.split('\n').length;
  field.scrollTop = Math.max(0, (line - 4) * height);
}
