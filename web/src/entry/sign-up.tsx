import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { serverQuery } from '../api/queries.ts';
import { Form } from '../design/form.tsx';
import { Notice } from '../design/notice.tsx';
import { AccountFields } from './account-fields.tsx';
import { EntryCard } from './entry-frame.tsx';
import { signUp } from './session.ts';

/** For servers that everybody may join; invitations have a page of their own. */
export function SignUp() {
  const t = useTranslations('entry');
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/entry/sign-up' });
  const { data: server } = useSuspenseQuery(serverQuery);
  const foot = (
    <>
      {t('signUp.haveOne')} <Link to="/sign-in">{t('signIn.title')}</Link>
    </>
  );
  return (
    <EntryCard title={t('signUp.title')} foot={foot}>
      {server.registration === 'open' ? (
        <Form
          send={signUp}
          onDone={() => void navigate({ href: next ?? '/inbox', replace: true })}
          submit={t('signUp.submit')}
        >
          {({ errorOf }) => <AccountFields errorOf={errorOf} />}
        </Form>
      ) : (
        <Notice>{server.registration === 'invite' ? t('signIn.invited') : t('signUp.closed')}</Notice>
      )}
    </EntryCard>
  );
}
