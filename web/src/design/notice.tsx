import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

const ICONS = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

/** A highlighted sentence or two. Screen readers read errors at once. @param props.action a button at its end */
export function Notice(props: { kind?: keyof typeof ICONS; action?: ReactNode; children: ReactNode }) {
  const { kind = 'info', action, children } = props;
  const Icon = ICONS[kind];
  return (
    <div
      className={`${styles.notice} ${kind === 'info' ? '' : styles[kind]}`}
      role={kind === 'danger' ? 'alert' : undefined}
    >
      <Icon size={18} aria-hidden />
      <div>{children}</div>
      {action}
    </div>
  );
}
