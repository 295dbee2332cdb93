import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './page.module.css';
import { setTitleName } from './page-title.ts';
import { View, ViewHead } from './view.tsx';

/** Names the view in the browser's tab, its history, and to a screen reader. */
export function useTitle(title: string): void {
  useEffect(() => {
    setTitleName(title);
  }, [title]);
}

/** A whole view: its title, its actions, and its sections. */
export function PageBody(props: {
  title: string;
  /** The open tab's name, for the browser's history. */
  part?: string;
  lead?: ReactNode;
  icon?: ReactNode;
  actions?: ReactNode;
  /** Below the title, where one thing has several views. */
  tabs?: ReactNode;
  /** Has columns beside each other. */
  wide?: boolean;
  /** Nothing in it may take the focus. */
  plain?: boolean;
  children: ReactNode;
}) {
  const { title, part, lead, icon, actions, tabs, wide = false, plain = false, children } = props;
  useTitle(part === undefined ? title : `${part} · ${title}`);
  const head = (
    <>
      <ViewHead title={title} icon={icon}>
        {actions && (
          <div className={styles.actions} data-actions>
            {actions}
          </div>
        )}
      </ViewHead>
      {tabs}
    </>
  );
  return (
    <View head={head} wide={wide} plain={plain}>
      {lead && <p className={styles.lead}>{lead}</p>}
      {children}
    </View>
  );
}

/** A part of a view, on a surface of its own. */
export function Card({ title, lead, children }: { title?: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.card} {...(title !== undefined && { 'aria-labelledby': id })}>
      {title !== undefined && (
        <div>
          <h2 id={id}>{title}</h2>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
      )}
      {children}
    </section>
  );
}

/** Links between the parts of one thing; the router marks the one that is open. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen the open tab may be out of view.
  useEffect(() => {
    const open = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && open) nav.current.scrollLeft = open.offsetLeft - nav.current.offsetLeft;
  }, []);
  return (
    <nav ref={nav} className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

/**
 * @param props.head the columns' names; '' for a column without one
 * @param props.stacks whether its cells are understood without their columns' names, as a narrow screen shows them
 */
export function Table(props: {
  label: string;
  head: readonly string[];
  stacks?: boolean;
  children: ReactNode;
}) {
  const { label, head, stacks = false, children } = props;
  return (
    // A table that is wider than the screen can be scrolled with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1
    <section className={styles.tableFrame} aria-label={label} tabIndex={0}>
      <table className={`${styles.table} ${stacks ? styles.stacked : ''}`}>
        <thead>
          <tr>
            {head.map((name, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
              <th key={column} scope="col">
                {name || <span className="visually-hidden">…</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

export function Badge(props: { kind?: 'neutral' | 'success' | 'warning' | 'danger'; children: ReactNode }) {
  const { kind = 'neutral', children } = props;
  return <span className={`${styles.badge} ${kind === 'neutral' ? '' : styles[kind]}`}>{children}</span>;
}
