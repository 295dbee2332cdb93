import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import styles from './hint.module.css';

/**
 * Shows a short text when its child is pointed at or focused. Not everybody gets to see it: the child has the same text
 * as its label, or there is another way to it.
 */
export function Hint(props: { text: ReactNode; children: ReactElement<Record<string, unknown>> }) {
  const { text, children } = props;
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
