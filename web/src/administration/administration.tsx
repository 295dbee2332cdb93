import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { meQuery } from '../api/queries.ts';
import { ButtonLink } from '../design/button.tsx';
import { PageBody, Tabs } from '../design/page.tsx';
import { Empty } from '../design/states.tsx';

/** The pages of the server's administrators; other users see whom they are for. */
export function Administration() {
  const { data: me } = useQuery(meQuery);
  return me?.superuser ? <Outlet /> : <Refused />;
}

function Refused() {
  const t = useTranslations('administration');
  return (
    <PageBody title={t('title')}>
      <Empty icon={ShieldAlert} title={t('refused.title')}>
        <p>{t('refused.text')}</p>
        <ButtonLink to="/inbox" look="primary">
          {t('refused.home')}
        </ButtonLink>
      </Empty>
    </PageBody>
  );
}

const PARTS = [
  ['/admin', 'overview'],
  ['/admin/users', 'users'],
  ['/admin/teams', 'teams'],
  ['/admin/applications', 'applications'],
  ['/admin/mails', 'mails'],
  ['/admin/audit', 'audit'],
  ['/admin/settings', 'settings'],
  ['/admin/backup', 'backup'],
] as const;

type Part = (typeof PARTS)[number][1];

/** The frame of each of them. */
export function AdminPage(props: {
  part: Part;
  lead?: ReactNode;
  actions?: ReactNode;
  plain?: boolean;
  children: ReactNode;
}) {
  const { part, lead, actions, plain = false, children } = props;
  const t = useTranslations('administration');
  const tabs = (
    <Tabs label={t('tabs.label')}>
      {PARTS.map(([to, name]) => (
        <Link key={name} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {t(`tabs.${name}`)}
        </Link>
      ))}
    </Tabs>
  );
  return (
    <PageBody
      title={t('title')}
      part={t(`tabs.${part}`)}
      lead={lead}
      actions={actions}
      tabs={tabs}
      plain={plain}
    >
      {children}
    </PageBody>
  );
}
