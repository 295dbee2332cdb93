import type { ReactNode } from 'react';
import styles from './list.module.css';

/** A list of items on a surface of its own. */
export function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  );
}

export interface RowParts {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  /** Below the title: details to compare the rows by. */
  readonly detail?: ReactNode;
  /** At the end: its state, a time. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  /** Below all of it. */
  readonly children?: ReactNode;
}

/** One item; on a narrow screen its end moves below. */
export const ListRow = (parts: RowParts) => (
  <li className={styles.row}>
    <RowContent {...parts} />
  </li>
);

/** The content of a row, for a list that makes its rows itself. */
export function RowContent({ icon, title, detail, aside, actions, children }: RowParts) {
  return (
    <>
      {icon}
      <div className={styles.text}>
        <div className={styles.title}>{title}</div>
        {detail && <div className={styles.detail}>{detail}</div>}
        {children}
      </div>
      {aside && <div className={styles.aside}>{aside}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </>
  );
}

/** Names and values. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
