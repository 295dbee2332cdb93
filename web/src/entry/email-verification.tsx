import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ApiError, call } from '../api/client.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { SessionUser } from '../api/types.ts';
import { Button, ButtonLink } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { Loaded } from '../design/states.tsx';
import { useFailureText } from '../text/failure.ts';
import { AnotherVerification } from './another-verification.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';

/** The page that the mail links to. It needs a click on a button, since virus scanners open every link. */
export function EmailVerification() {
  const { token } = useParams({ from: '/entry/email_verifications/$token' });
  // Both answers change who is signed in, or what they see: the page must not follow.
  const query = useQuery({ ...meQuery, enabled: (one) => one.state.data === undefined });
  return <Loaded query={query}>{(me) => <Question token={token} me={me ?? undefined} />}</Loaded>;
}

function Question({ token, me }: { token: string; me: SessionUser | undefined }) {
  const t = useTranslations('entry');
  const failure = useFailureText();
  const answer = useMutation({
    mutationFn: (method: 'PUT' | 'DELETE') =>
      call(`/v1/email_verifications/${encodeURIComponent(token)}`, { method }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  if (answer.isSuccess) return answer.variables === 'PUT' ? <Confirmed /> : <Disowned />;
  if (answer.error instanceof ApiError && answer.error.status === 404) return <Gone me={me} />;
  return (
    <EntryCard key="ask" title={t('verify.title')} lead={t(me ? 'verify.lead' : 'verify.leadSignedOut')}>
      {answer.error && <Notice kind="danger">{failure(answer.error)}</Notice>}
      <div className={styles.actions}>
        {me ? (
          <Button look="primary" busy={answer.isPending} onClick={() => answer.mutate('PUT')}>
            {t('verify.submit')}
          </Button>
        ) : (
          <ButtonLink look="primary" to="/sign-in" search={{ next: `/email_verifications/${token}` }}>
            {t('verify.signInToConfirm')}
          </ButtonLink>
        )}
        <Button look="quiet" busy={answer.isPending} onClick={() => answer.mutate('DELETE')}>
          {t('verify.notMine')}
        </Button>
      </div>
      <p className={styles.soft}>{t('verify.notMineHint')}</p>
    </EntryCard>
  );
}

function Confirmed() {
  const t = useTranslations('entry');
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

function Disowned() {
  const t = useTranslations('entry');
  return <EntryCard key="disowned" follows title={t('verify.disowned')} lead={t('verify.disownedText')} />;
}

function Gone({ me }: { me: SessionUser | undefined }) {
  const t = useTranslations('entry');
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
