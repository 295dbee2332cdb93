import { askAgain, dismiss, NO_BLOCK, usePressesIn } from '../state/presses.ts';
import styles from './elements.module.css';
import { PressStatus } from './press-status.tsx';

/**
 * How the commands and shortcuts go that a person asked for.
 * @param props.place a team, or a message
 * @param props.leave moves the focus away from a button that goes
 */
export function Asked({ place, leave }: { place: string; leave: (from: Element) => void }) {
  const presses = usePressesIn(place, NO_BLOCK);
  return (
    <div className={`${styles.statuses} ${styles.asked}`} role="status">
      {presses.map(([key, press]) => (
        <PressStatus
          key={key}
          press={press}
          application={press.ask.named?.application ?? ''}
          again={(from) => {
            leave(from);
            askAgain(key, press);
          }}
          dismiss={(from) => {
            leave(from);
            dismiss(key);
          }}
        />
      ))}
    </div>
  );
}
