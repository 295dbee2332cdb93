import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import { hostOf } from '../api/host.ts';
import type { Installation, Membership } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { Button, ButtonLink } from '../design/button.tsx';
import { Confirm } from '../design/dialog.tsx';
import { Fact, Facts } from '../design/list.tsx';
import { NotProved } from '../design/not-proved.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { PersonLink } from '../design/person.tsx';
import { Empty, Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { tell } from '../design/toast.tsx';
import { Admins } from './admins.tsx';
import { Deliveries } from './deliveries.tsx';
import { MayDo } from './grants.tsx';
import { isOpenable, MessageLink, OpenLink, StatusBadge } from './installation-row.tsx';
import { installationsQuery, refreshInstallations } from './queries.ts';
import { useReasonText } from './reason.ts';
import { Asleep, DecidedScopes, RequestedScopes } from './requested-scopes.tsx';
import { ScopeHistory } from './scope-history.tsx';
import { administers, TeamFrame } from './team-frame.tsx';
import styles from './teams.module.css';

/** One application of a team. */
export function TeamApplication() {
  const { team, application } = useParams({ from: '/signed-in/teams/$team/applications/$application' });
  const query = useQuery(installationsQuery(team));
  return (
    <TeamFrame team={team} part="applications">
      {(own) => (
        <>
          <BackLink team={team} />
          <Loaded query={query}>
            {(all) => {
              const found = all.find((one) => one.application.id === application);
              return (
                <>
                  {found ? <Detail own={own} installation={found} /> : <NotInstalled />}
                  {administers(own) ? (
                    <Deliveries team={team} application={application} />
                  ) : (
                    <Admins team={team} />
                  )}
                </>
              );
            }}
          </Loaded>
        </>
      )}
    </TeamFrame>
  );
}

function BackLink({ team }: { team: string }) {
  const t = useTranslations('teams.application');
  return (
    <p>
      <Link to="/teams/$team/applications" params={{ team }} className={styles.person ?? ''}>
        <ArrowLeft size={16} aria-hidden />
        {t('back')}
      </Link>
    </p>
  );
}

function NotInstalled() {
  const t = useTranslations('teams.application');
  return (
    <Empty title={t('notInstalled')}>
      <p>{t('gone')}</p>
    </Empty>
  );
}

function Detail({ own, installation }: { own: Membership; installation: Installation }) {
  const t = useTranslations('teams.application');
  const { application, status } = installation;
  return (
    <>
      <div className={styles.split}>
        <div className={styles.who}>
          <ApplicationIcon application={application} />
          <div>
            <h2>{application.name}</h2>
            {application.description && <p className={styles.soft}>{application.description}</p>}
          </div>
        </div>
        <Actions own={own} installation={installation} />
      </div>
      <Failed installation={installation} />
      {application.suspended && <Notice kind="danger">{t('suspended')}</Notice>}
      <Asleep installation={installation} mayConfirm={administers(own)} />
      <Card title={t('about')}>
        <Facts>
          <Fact name={t('state')}>
            <StatusBadge status={status} />
          </Fact>
          {installation.owner && (
            <Fact name={t('owner')}>
              <bdi>{installation.owner.name}</bdi>
            </Fact>
          )}
          {application.base_url !== null && (
            <Fact name={t('host')}>
              {hostOf(application.base_url)} <NotProved />
            </Fact>
          )}
          {installation.link_prefixes.length > 0 && (
            <Fact name={t('hearsLinks')}>
              <bdi>{installation.link_prefixes.join(', ')}</bdi> <NotProved />
            </Fact>
          )}
          <Fact name={t('by')}>
            <PersonLink person={installation.installed_by} />
          </Fact>
          <Fact name={t('since')}>
            <Time at={installation.created_at} style="full" />
          </Fact>
        </Facts>
      </Card>
      <RequestedScopes installation={installation} mayGrant={administers(own)} />
      {status === 'active' && (
        <Card title={t('may')}>
          <MayDo />
          <DecidedScopes installation={installation} mayGrant={administers(own)} />
        </Card>
      )}
      {status === 'active' && administers(own) && <ScopeHistory installation={installation} />}
    </>
  );
}

function Failed({ installation }: { installation: Installation }) {
  const reason = useReasonText();
  if (installation.status !== 'failed' || installation.reason === null) return null;
  return <Notice kind="danger">{reason(installation.reason)}</Notice>;
}

function Actions({ own, installation }: { own: Membership; installation: Installation }) {
  const t = useTranslations('teams');
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const { application, status } = installation;
  const team = own.team.id;
  const uninstall = async () => {
    await call(`/v1/teams/${team}/applications/${application.id}`, { method: 'DELETE' });
    tell(t('application.uninstalled', { name: application.name }));
    await navigate({ to: '/teams/$team/applications', params: { team } });
    await refreshInstallations(team);
  };
  return (
    <div className={styles.actions}>
      <MessageLink installation={installation} />
      {isOpenable(installation) && <OpenLink installation={installation} />}
      {status === 'active' && administers(own) && (
        <Button onClick={() => setAsking(true)}>{t('application.uninstall')}</Button>
      )}
      {status === 'failed' && administers(own) && (
        <ButtonLink to="/teams/$team/applications" params={{ team }} search={{ install: application.id }}>
          {t('applications.retry')}
        </ButtonLink>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('application.uninstallTitle', { name: application.name })}
        description={t('application.uninstallText')}
        action={t('application.uninstall')}
        act={uninstall}
      />
    </div>
  );
}
