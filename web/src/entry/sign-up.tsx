import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { serverQuery } from '../api/queries.ts';
import { Notice } from '../design/notice.tsx';
import { EntryCard } from './entry-frame.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { useSignedInElsewhere } from './signed-in-elsewhere.ts';

/** For servers that everybody may join, or everybody with an address in some domains; invitations have a page of their own. */
export function SignUp() {
  const t = useTranslations('entry');
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/entry/sign-up' });
  const { data: server } = useSuspenseQuery(serverQuery);
  useSignedInElsewhere(() => void navigate({ href: next ?? '/inbox', replace: true }));
  const foot = (
    <>
      {t('signUp.haveOne')}
      <Link to="/sign-in" search={next === undefined ? {} : { next }}>
        {t('signIn.title')}
      </Link>
    </>
  );
  return (
    <EntryCard title={t('signUp.title')} foot={foot}>
      {server.registration === 'open' || server.domain_sign_up ? (
        <>
          {server.domain_sign_up && <Notice>{t('signUp.byDomain')}</Notice>}
          <SignUpForm
            submit={t('signUp.submit')}
            onDone={() =>
              void navigate({ href: next ?? (server.domain_sign_up ? '/teams' : '/welcome'), replace: true })
            }
          />
        </>
      ) : (
        <Notice>{server.registration === 'invite' ? t('signIn.invited') : t('signUp.closed')}</Notice>
      )}
    </EntryCard>
  );
}
