import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { TerminalSquare } from 'lucide-react';
import { createContext, use, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { onLive } from '../api/live.ts';
import type { Application } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { ButtonLink } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { PageBody, Tabs } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { PUBLIC } from './application-fields.tsx';
import { applicationQuery, refreshWork } from './queries.ts';
import { UpLink } from './up-link.tsx';

const Shown = createContext<Application | undefined>(undefined);

/** The application of the page around. */
export function useApplication(): Application {
  const application = use(Shown);
  if (!application) throw new Error('There is no application around this view.');
  return application;
}

/** The frame of every view of one application. */
export function ApplicationFrame() {
  const { application: id } = useParams({ from: '/signed-in/developers/$application' });
  const query = useQuery(applicationQuery(id));
  useEffect(() => {
    const refresh = () => void refreshWork(id);
    const ends = [onLive('ready', refresh), onLive('installation.updated', refresh)];
    return () => {
      for (const end of ends) end();
    };
  }, [id]);
  const t = useTranslations('developers.application');
  // The key resets the state of the views when another application is opened.
  if (query.data) return <Frame key={query.data.id} application={query.data} />;
  return (
    <PageBody title={t('title')} icon={<UpLink to="/developers" label={t('up')} />}>
      <Loaded query={query}>{() => null}</Loaded>
    </PageBody>
  );
}

function Frame({ application }: { application: Application }) {
  const t = useTranslations('developers.application');
  const params = { application: application.id };
  const isPublic = application.token_endpoint_auth_method === PUBLIC;
  const actions = (
    <ButtonLink to="/developers/try" search={params}>
      <TerminalSquare size={16} aria-hidden />
      {t('try')}
    </ButtonLink>
  );
  const icon = (
    <>
      <UpLink to="/developers" label={t('up')} />
      <ApplicationIcon application={application} />
    </>
  );
  const tabs = (
    <Tabs label={t('parts')}>
      <Link to="/developers/$application" params={params} activeOptions={{ exact: true }}>
        {t('overview')}
      </Link>
      {!isPublic && (
        <Link to="/developers/$application/subscriptions" params={params}>
          {t('subscriptions')}
        </Link>
      )}
      {!isPublic && (
        <Link to="/developers/$application/deliveries" params={params}>
          {t('deliveries')}
        </Link>
      )}
      <Link to="/developers/$application/failures" params={params}>
        {t('failures')}
      </Link>
      <Link to="/developers/$application/secret" params={params}>
        {t('secret')}
      </Link>
      <Link to="/developers/$application/settings" params={params}>
        {t('settings')}
      </Link>
    </Tabs>
  );
  return (
    <PageBody title={application.name} icon={icon} actions={actions} tabs={tabs}>
      <Suspended application={application} />
      <CallsPaused application={application} />
      <Shown value={application}>
        <Outlet />
      </Shown>
    </PageBody>
  );
}

/** Says why it sleeps, and what ends that. */
function Suspended({ application: { id, suspension } }: { application: Application }) {
  const t = useTranslations('developers.application');
  if (!suspension) return null;
  const text = suspension.by_operator ? 'suspended' : 'awaitsOwner';
  return (
    <Notice kind="danger">
      <p>{t.rich(text, { since: () => <Time at={suspension.since} /> })}</p>
      {suspension.awaits_owner !== null && (
        <ButtonLink to="/developers/$application/secret" params={{ application: id }}>
          {t('takeOver')}
        </ButtonLink>
      )}
    </Notice>
  );
}

/** Says that the platform does not call the application for a while, and what ends that. */
function CallsPaused({ application }: { application: Application }) {
  const t = useTranslations('developers.application');
  const { calls_failing_since: since, calls_paused_until: until } = application;
  if (since === null || until === null) return null;
  return (
    <Notice kind="warning">
      {t.rich('paused', { since: () => <Time at={since} />, until: () => <Time at={until} /> })}
    </Notice>
  );
}
