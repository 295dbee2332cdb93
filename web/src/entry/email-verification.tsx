import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ApiError, call } from '../api/client.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import { Button, ButtonLink } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { useFailureText } from '../text/failure.ts';
import { AnotherVerification } from './another-verification.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';

/** The page that the mail links to. It needs a click on a button, since virus scanners open every link. */
export function EmailVerification() {
  const t = useTranslations('entry');
  const failure = useFailureText();
  const { token } = useParams({ from: '/entry/email_verifications/$token' });
  const confirm = useMutation({
    mutationFn: () => call(`/v1/email_verifications/${encodeURIComponent(token)}`, { method: 'PUT' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  if (confirm.isSuccess) {
    return (
      <EntryCard key="done" follows title={t('verify.done')} lead={t('verify.doneText')}>
        <div className={styles.actions}>
          <ButtonLink look="primary" to="/inbox">
            {t('home')}
          </ButtonLink>
        </div>
      </EntryCard>
    );
  }
  if (confirm.error instanceof ApiError && confirm.error.status === 404) return <Gone />;
  return (
    <EntryCard key="ask" title={t('verify.title')} lead={t('verify.lead')}>
      {confirm.error && <Notice kind="danger">{failure(confirm.error)}</Notice>}
      <div className={styles.actions}>
        <Button look="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
          {t('verify.submit')}
        </Button>
      </div>
    </EntryCard>
  );
}

function Gone() {
  const t = useTranslations('entry');
  const { data: me } = useQuery(meQuery);
  return (
    <EntryCard key="gone" follows title={t('verify.gone')} lead={t('verify.goneText')}>
      {me ? (
        <AnotherVerification me={me} />
      ) : (
        <div className={styles.actions}>
          <ButtonLink look="primary" to="/sign-in" search={{ next: '/settings/security' }}>
            {t('verify.signIn')}
          </ButtonLink>
        </div>
      )}
    </EntryCard>
  );
}
