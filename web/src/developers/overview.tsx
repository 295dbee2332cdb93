import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Copyable } from '../design/copy.tsx';
import { NotProved } from '../design/not-proved.tsx';
import { Badge, Card, Table } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { useApplication } from './application.tsx';
import { Checklist } from './checklist.tsx';
import styles from './developers.module.css';
import { InstallLinks } from './install-links.tsx';
import { installationsQuery, progressQuery } from './queries.ts';

/** The progress of the integration, the next step, and the installations. */
export function Overview() {
  const t = useTranslations('developers.overview');
  const application = useApplication();
  const progress = useQuery(progressQuery(application.id));
  return (
    <>
      <Card title={t('checklist')} lead={t('checklistLead')}>
        <Loaded query={progress} rows={7}>
          {(steps) => <Checklist application={application} steps={steps} />}
        </Loaded>
      </Card>
      <Card title={t('installations')}>
        <Installations />
        <InstallLinks application={application} />
      </Card>
      <Card title={t('identity')}>
        <div className={styles.group}>
          <h3>{t('clientId')}</h3>
          <Copyable text={application.id} name={t('clientId')} />
        </div>
        <dl className={styles.facts}>
          {application.base_url !== null && (
            <>
              <dt>{t('base')}</dt>
              <dd>
                {application.base_url} <NotProved />
              </dd>
            </>
          )}
          <dt>{t('registered')}</dt>
          <dd>
            <Time at={application.created_at} style="full" />
          </dd>
          <dt>{t('scopes')}</dt>
          <dd>{application.scopes.join(', ') || t('noScopes')}</dd>
        </dl>
      </Card>
    </>
  );
}

const KINDS: Record<string, 'success' | 'warning' | 'danger' | 'neutral'> = {
  active: 'success',
  pending: 'warning',
  failed: 'danger',
};

function Installations() {
  const t = useTranslations('developers.overview');
  const { id } = useApplication();
  const query = useQuery(installationsQuery(id));
  return (
    <Loaded query={query} rows={1}>
      {(installations) =>
        installations.length === 0 ? (
          <p className={styles.soft}>{t('nowhere')}</p>
        ) : (
          <Table label={t('teams')} head={[t('team'), t('status'), t('since')]}>
            {installations.map(({ team, status, created_at }) => (
              <tr key={`${team.id} ${created_at}`}>
                <td>{team.name || team.id}</td>
                <td>
                  <Badge kind={KINDS[status] ?? 'neutral'}>{t(`statuses.${statusOf(status)}`)}</Badge>
                </td>
                <td>
                  <Time at={created_at} />
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}

const statusOf = (status: string) =>
  (['active', 'pending', 'failed', 'removed'] as const).find((one) => one === status) ?? 'removed';
