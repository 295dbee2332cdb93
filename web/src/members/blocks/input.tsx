import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { BlockOf } from '../../api/types.ts';
import { ActStatus } from './act-status.tsx';
import { useBlocks } from './context.ts';
import { ElementOf } from './element.tsx';
import { LabelProvider } from './element-value.tsx';
import styles from './elements.module.css';
import { Fault, useFault } from './fault.tsx';
import { plainOf } from './words.tsx';

/** A labelled field. What is in it goes along with the next click in the message, or with the form. */
export function Input({ block }: { block: BlockOf<'input'> }) {
  const common = useTranslations('common');
  const id = useId();
  const { faults } = useBlocks();
  const fault = useFault();
  const { label, hint, element, optional, dispatch_action } = block;
  const name = plainOf(label);
  const note = hint && plainOf(hint);
  const ids = { note: `${id}-note`, fault: `${id}-fault` };
  const described = [note !== undefined && ids.note, fault !== undefined && ids.fault].filter(Boolean);
  const labelled = {
    label: name,
    described: described.length > 0 ? described.join(' ') : undefined,
    isWrong: fault !== undefined,
    // In a message, nobody has to fill in anything.
    isRequired: faults !== undefined && optional !== true,
    isTold: dispatch_action === true,
  };
  return (
    <div className={styles.field} data-block={block.block_id}>
      {/* The control has it as its name. */}
      <p className={styles.label} dir="auto" aria-hidden>
        {name} {optional && <span className={styles.optional}>({common('optional')})</span>}
      </p>
      <LabelProvider value={labelled}>
        <ElementOf element={element} />
      </LabelProvider>
      {note !== undefined && (
        <p id={ids.note} className={styles.hint} dir="auto">
          {note}
        </p>
      )}
      <Fault id={ids.fault} />
      <ActStatus />
    </div>
  );
}
