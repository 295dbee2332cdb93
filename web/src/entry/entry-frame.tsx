import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import mark from '../design/mark.svg';
import { useTitle } from '../design/page.tsx';
import styles from './entry.module.css';

/** The layout of all pages before signing in. */
export function EntryFrame() {
  const t = useTranslations('common');
  return (
    <div className={styles.frame}>
      <header className={styles.brand}>
        <img src={mark} alt="" width="32" height="32" />
        {t('product')}
      </header>
      <main className={styles.main}>
        <Outlet />
      </main>
    </div>
  );
}

interface EntryCardProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Above the title, as the icon of an application or a team. */
  readonly icon?: ReactNode;
  /** Links to other pages. */
  readonly foot?: ReactNode;
  readonly wide?: boolean;
  /** It replaces another card in the same view, so it takes the focus. */
  readonly follows?: boolean;
  readonly children?: ReactNode;
}

/** One of these pages: its purpose, its form, and links to others. */
export function EntryCard(props: EntryCardProps) {
  const { title, lead, icon, foot, wide = false, follows = false, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    if (follows) heading.current?.focus();
  }, [follows]);
  return (
    <div className={`${styles.card} ${wide ? styles.wide : ''}`}>
      <div className={styles.head}>
        {icon}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {children}
      {foot && <div className={styles.foot}>{foot}</div>}
    </div>
  );
}
