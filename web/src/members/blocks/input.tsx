import { useTranslations } from 'use-intl';
import type { BlockOf } from '../../api/types.ts';
import { ActStatus } from './act-status.tsx';
import { ElementOf } from './element.tsx';
import { LabelProvider } from './element-value.tsx';
import styles from './elements.module.css';
import { plainOf } from './words.tsx';

/** A labelled field. What is in it goes along with the next click in the message. */
export function Input({ block }: { block: BlockOf<'input'> }) {
  const common = useTranslations('common');
  const { label, hint, element, optional, dispatch_action } = block;
  const name = plainOf(label);
  const note = hint && plainOf(hint);
  return (
    <div className={styles.field}>
      {/* The control has it as its name. */}
      <p className={styles.label} dir="auto" aria-hidden>
        {name} {optional && <span className={styles.optional}>({common('optional')})</span>}
      </p>
      <LabelProvider value={{ label: name, hint: note, isTold: dispatch_action === true }}>
        <ElementOf element={element} />
      </LabelProvider>
      {note !== undefined && (
        <p className={styles.hint} dir="auto">
          {note}
        </p>
      )}
      <ActStatus />
    </div>
  );
}
