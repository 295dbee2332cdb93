import { usePressesIn } from '../state/presses.ts';
import { pressAgain, stateOf } from './acting.ts';
import { useBlockId, useBlocks } from './context.ts';
import styles from './elements.module.css';
import { PressStatus } from './press-status.tsx';

/** How the clicks in a block go. */
export function ActStatus() {
  const { surface, blocks, application } = useBlocks();
  const presses = usePressesIn(surface.id, useBlockId());
  return (
    <div className={styles.statuses} role="status">
      {presses.map(([key, press]) => (
        <PressStatus
          key={key}
          press={press}
          application={application.name}
          again={() => pressAgain(key, press, () => stateOf(surface, blocks))}
        />
      ))}
    </div>
  );
}
