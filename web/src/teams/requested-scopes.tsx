import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import type { Installation } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import { ScopeList } from './grants.tsx';
import { refreshInstallations } from './queries.ts';
import styles from './teams.module.css';

/** Scopes that an application has requested since it was installed. Admins can grant them; others see whom to ask. */
export function RequestedScopes(props: { installation: Installation; mayGrant: boolean }) {
  const { installation, mayGrant } = props;
  const t = useTranslations('teams.application');
  const failure = useFailureText();
  const { application, team, scopes, requested_scopes: requested } = installation;
  const grant = useMutation({
    mutationFn: () =>
      call(`/v1/teams/${team}/applications/${application.id}/scopes`, {
        method: 'PUT',
        body: { scopes: [...scopes, ...requested] },
      }),
    onSuccess: () => tell(t('requestedGranted', { name: application.name })),
    onSettled: () => refreshInstallations(team),
  });
  if (requested.length === 0) return null;
  return (
    <Notice kind="warning">
      <strong>{t('requested', { name: application.name })}</strong>
      <ScopeList scopes={requested} />
      <p>{t('requestedText')}</p>
      {grant.error && <p>{failure(grant.error)}</p>}
      {mayGrant && (
        <div className={styles.actions}>
          <Button busy={grant.isPending} onClick={() => grant.mutate()}>
            {t('grant')}
          </Button>
        </div>
      )}
    </Notice>
  );
}
