import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ApiError, call } from '../api/client.ts';
import { meQuery, queryClient, serverQuery } from '../api/queries.ts';
import type { SessionUser } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { useFailureText } from '../text/failure.ts';

/** Whether the email address is verified, and a button for another mail if it is not. */
export function AnotherVerification({ me }: { me: SessionUser }) {
  const t = useTranslations('account.security');
  const failure = useFailureText();
  const { data: server } = useQuery(serverQuery);
  const ask = useMutation({
    mutationFn: async () => {
      try {
        await call('/v1/email_verifications', { method: 'POST' });
      } catch (error) {
        // It was confirmed in another window.
        if (!(error instanceof ApiError && error.status === 409)) throw error;
        await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      }
    },
  });
  if (me.primary_email.verified) return <Notice kind="success">{t('verifiedText')}</Notice>;
  if (ask.isSuccess) return <Notice kind="success">{t(server?.mail ? 'verifySent' : 'verifyKept')}</Notice>;
  return (
    <>
      <p>{t(server?.mail === false ? 'verifyByAdmin' : 'verifyLead')}</p>
      {ask.error && <Notice kind="danger">{failure(ask.error)}</Notice>}
      <div>
        <Button busy={ask.isPending} onClick={() => ask.mutate()}>
          {t(server?.mail === false ? 'verifyAgain' : 'verify')}
        </Button>
      </div>
    </>
  );
}
