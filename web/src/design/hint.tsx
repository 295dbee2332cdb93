import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import styles from './hint.module.css';

/** Shows a short text when its child is pointed at or focused; the child has the same text as its label. */
export function Hint({ text, children }: { text: string; children: ReactElement<Record<string, unknown>> }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className={styles.layer}>
          <Tooltip.Popup className={styles.hint}>{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
