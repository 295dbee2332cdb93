import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
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

/** One of these pages: what it is for, its form, and where else one may want to go. */
export function EntryCard(props: { title: string; lead?: ReactNode; foot?: ReactNode; children: ReactNode }) {
  const { title, lead, foot, children } = props;
  useTitle(title);
  return (
    <div className={styles.card}>
      <div>
        <h1>{title}</h1>
        {lead && <p className={styles.lead}>{lead}</p>}
      </div>
      {children}
      {foot && <p className={styles.foot}>{foot}</p>}
    </div>
  );
}
