import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import mark from '../design/mark.svg';
import { useTitle } from '../design/page.tsx';
import styles from './entry.module.css';

/** What all pages in front of the application look like. */
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
  /** What stands above the title: whose page it is. */
  readonly icon?: ReactNode;
  /** Where else one may want to go. */
  readonly foot?: ReactNode;
  readonly wide?: boolean;
  /** It takes the place of another card in the same view: the focus goes there. */
  readonly follows?: boolean;
  readonly children?: ReactNode;
}

/** One of these pages: what it is for, its form, and where else one may want to go. */
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
