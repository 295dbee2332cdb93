import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { PageBody, Tabs } from '../design/page.tsx';

const TABS = ['profile', 'notifications', 'appearance', 'security', 'applications', 'emoji', 'data'] as const;
type Tab = (typeof TABS)[number];

/** The frame of all settings: the tabs and the open one. */
export function SettingsPage({ tab, children }: { tab: Tab; children: ReactNode }) {
  const t = useTranslations('account');
  const tabs = (
    <Tabs label={t('title')}>
      {TABS.map((one) => (
        <Link key={one} to={`/settings/${one}`}>
          {t(`tabs.${one}`)}
        </Link>
      ))}
    </Tabs>
  );
  return (
    <PageBody title={t('title')} part={t(`tabs.${tab}`)} tabs={tabs}>
      {children}
    </PageBody>
  );
}
