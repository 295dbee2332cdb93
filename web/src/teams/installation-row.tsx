import { Link } from '@tanstack/react-router';
import { ExternalLink, MessageCircle, RotateCw } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { applicationKey } from '../api/application-key.ts';
import { obstacleOf } from '../api/installations.ts';
import type { Installation, Membership } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { Button, ButtonLink } from '../design/button.tsx';
import { ListRow } from '../design/list.tsx';
import { OpenApplicationLink } from '../design/open-application.tsx';
import { Badge } from '../design/page.tsx';
import { nameOf } from '../design/person.tsx';
import { useReasonText } from './reason.ts';
import { requestedRights } from './requested-scopes.tsx';
import { administers } from './team-frame.tsx';

const KINDS = { active: 'success', pending: 'warning', failed: 'danger', removed: 'neutral' } as const;
export type InstallationStatus = keyof typeof KINDS;

export function StatusBadge({ status }: { status: string }) {
  const t = useTranslations('teams.applications.status');
  const known = (status in KINDS ? status : 'removed') as InstallationStatus;
  return <Badge kind={KINDS[known]}>{t(known)}</Badge>;
}

/** Whether there is something of it to open. */
export const isOpenable = ({ status, application }: Installation): boolean =>
  status === 'active' && (application.has_home || application.openable);

/** Opens the application: its home here, else its own pages, which learn who opens them. */
export function OpenLink({ installation, small }: { installation: Installation; small?: boolean }) {
  const t = useTranslations('teams.applications');
  const { application, team } = installation;
  if (application.has_home)
    return (
      <ButtonLink
        to="/teams/$team/applications/$application/home"
        params={{ team, application: application.id }}
        look="primary"
        small={small ?? false}
        aria-label={t('openLabel', { name: application.name })}
      >
        {t('open')}
      </ButtonLink>
    );
  return (
    <OpenApplicationLink
      application={application.id}
      team={team}
      look="primary"
      small={small ?? false}
      aria-label={t('openLabel', { name: application.name })}
    >
      <ExternalLink size={16} aria-hidden />
      {t('open')}
    </OpenApplicationLink>
  );
}

/** Leads to the direct conversation with the application, where it may have one. */
export function MessageLink({
  installation,
  small = false,
}: {
  installation: Installation;
  small?: boolean;
}) {
  const t = useTranslations('teams.applications');
  if (obstacleOf(installation) !== undefined) return null;
  const { application, team } = installation;
  return (
    <ButtonLink
      to="/direct/$people"
      params={{ people: applicationKey({ team, application: application.id }) }}
      small={small}
      aria-label={t('messageLabel', { name: application.name })}
    >
      <MessageCircle size={16} aria-hidden />
      {t('message')}
    </ButtonLink>
  );
}

/** An application of a team: whether it works, and if not, why. */
export function InstallationRow(props: { own: Membership; installation: Installation; retry: () => void }) {
  const { own, installation, retry } = props;
  const t = useTranslations('teams.applications');
  const format = useFormatter();
  const reason = useReasonText();
  const { application, status } = installation;
  const by = {
    name: nameOf(installation.installed_by),
    date: format.dateTime(installation.created_at * 1000, { dateStyle: 'medium', timeStyle: 'short' }),
  };
  const happened = { active: 'installedBy', pending: 'pendingBy', failed: 'failedBy' } as const;
  return (
    <ListRow
      icon={<ApplicationIcon application={application} />}
      title={
        <>
          <Link
            to="/teams/$team/applications/$application"
            params={{ team: own.team.id, application: application.id }}
          >
            {application.name}
          </Link>
          <StatusBadge status={status} />
          {(application.suspended || installation.asleep_since !== null) && (
            <Badge kind="danger">{t('asleep')}</Badge>
          )}
          {requestedRights(installation).length > 0 && <Badge kind="warning">{t('asksMore')}</Badge>}
        </>
      }
      detail={t(happened[status as keyof typeof happened], by)}
      actions={
        <>
          <MessageLink installation={installation} small />
          {isOpenable(installation) && <OpenLink installation={installation} small />}
          {status === 'failed' && administers(own) && (
            <Button small onClick={retry} aria-label={t('retryLabel', { name: application.name })}>
              <RotateCw size={16} aria-hidden />
              {t('retry')}
            </Button>
          )}
        </>
      }
    >
      {status === 'failed' && installation.reason !== null && <p>{reason(installation.reason)}</p>}
    </ListRow>
  );
}
