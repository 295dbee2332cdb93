import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ApiError, callOne } from '../api/client.ts';
import { hostOf } from '../api/host.ts';
import type { Installation, Membership, PublicApplication } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { NotProved } from '../design/not-proved.tsx';
import { Notice } from '../design/notice.tsx';
import { Loaded } from '../design/states.tsx';
import { useFailureText } from '../text/failure.ts';
import { isolated } from '../text/isolated.ts';
import { BroughtCommands } from './commands.tsx';
import { Asks, MayDo, ToldOnInstall } from './grants.tsx';
import { OpenLink } from './installation-row.tsx';
import { installableQuery, installationsQuery, refreshInstallations } from './queries.ts';
import { useReasonText } from './reason.ts';
import styles from './teams.module.css';

/** Shows what an application will get, asks, and then shows the progress of the installation. */
export function InstallDialog(props: { own: Membership; id: string; onClose: () => void }) {
  const { own, id, onClose } = props;
  const t = useTranslations('teams.install');
  const query = useQuery(installableQuery);
  const tried = useQuery(installationsQuery(own.team.id)).data?.find((one) => one.application.id === id);
  // One that failed before may not be listed any more.
  const application = query.data?.find((one) => one.id === id) ?? tried?.application;
  const title = application ? t('title', { name: application.name, team: own.team.name }) : t('submit');
  return (
    <Dialog open onClose={onClose} title={title} wide>
      <Loaded query={query} rows={3}>
        {() =>
          application ? (
            <Install own={own} application={application} onClose={onClose} />
          ) : (
            <Notice kind="warning">
              <p>{t('unknown')}</p>
              <p>{t('unknownHint')}</p>
            </Notice>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Install(props: { own: Membership; application: PublicApplication; onClose: () => void }) {
  const { own, application, onClose } = props;
  const t = useTranslations('teams.install');
  const install = useMutation({
    mutationFn: () =>
      callOne<Installation>(`/v1/teams/${own.team.id}/applications`, {
        method: 'POST',
        // What the admin was shown.
        body: {
          application: application.id,
          scopes: application.scopes,
          link_prefixes: application.link_prefixes,
        },
      }),
    onSettled: () => refreshInstallations(own.team.id),
  });
  if (install.data) return <Done installation={install.data} onClose={onClose} />;
  return (
    <div className={styles.stack}>
      <Introduction application={application} />
      <ToldOnInstall members={own.team.num_members} />
      <MayDo />
      <Asks scopes={application.scopes} />
      <BroughtCommands own={own} application={application} />
      <Progress
        application={application}
        isPending={install.isPending}
        error={install.error}
        team={own.team.id}
      />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('close')}</Button>
        <Button look="primary" busy={install.isPending} onClick={() => install.mutate()}>
          {install.error ? <Again /> : t('submit')}
        </Button>
      </div>
    </div>
  );
}

const Again = () => useTranslations('common')('retry');

function Introduction({ application }: { application: PublicApplication }) {
  const t = useTranslations('teams.install');
  return (
    <div className={styles.who}>
      <ApplicationIcon application={application} />
      <div>
        <p>{application.description || t('noDescription')}</p>
        <p className={styles.soft}>
          {application.base_url === null
            ? t('madeNative')
            : t('madeBy', { host: hostOf(application.base_url) })}{' '}
          {application.base_url !== null && <NotProved />}
        </p>
        {application.link_prefixes.length > 0 && (
          <p className={styles.soft}>
            {t('hearsLinks', { addresses: application.link_prefixes.map(isolated).join(', ') })} <NotProved />
          </p>
        )}
      </div>
    </div>
  );
}

function Progress(props: {
  application: PublicApplication;
  isPending: boolean;
  error: unknown;
  team: string;
}) {
  const { application, isPending, error, team } = props;
  const t = useTranslations('teams.install');
  const text = useFailureText();
  const reason = useReasonText();
  if (isPending) {
    return (
      <div role="status">
        <Notice>
          <strong>
            {t('asking', {
              host: application.base_url === null ? application.name : hostOf(application.base_url),
            })}
          </strong>
          <p>{t('askingHint')}</p>
        </Notice>
      </div>
    );
  }
  if (!error) return null;
  if (!(error instanceof ApiError) || error.status !== 424)
    return <Notice kind="danger">{text(error)}</Notice>;
  return (
    <Notice kind="danger">
      <strong>{t('failedTitle', { name: application.name })}</strong>
      <p>{reason(error.reason)}</p>
      <p>{t('nothingKept')}</p>
      <Link to="/teams/$team/applications/$application" params={{ team, application: application.id }}>
        {t('seeDelivery')}
      </Link>
    </Notice>
  );
}

function Done({ installation, onClose }: { installation: Installation; onClose: () => void }) {
  const t = useTranslations('teams.install');
  return (
    <div className={styles.stack} role="status">
      <Notice kind="success">
        <strong>{t('doneTitle', { name: installation.application.name })}</strong>
        <p>{t('doneText')}</p>
      </Notice>
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('finish')}</Button>
        <OpenLink installation={installation} />
      </div>
    </div>
  );
}
