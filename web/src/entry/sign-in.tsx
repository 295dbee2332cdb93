import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ApiError, refusal } from '../api/client.ts';
import { serverQuery } from '../api/queries.ts';
import { PasswordField, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Notice } from '../design/notice.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';
import { signIn } from './session.ts';
import { useSignedInElsewhere } from './signed-in-elsewhere.ts';

export function SignIn() {
  const t = useTranslations('entry');
  const navigate = useNavigate();
  const { next, email, done } = useSearch({ from: '/entry/sign-in' });
  const { data: server } = useSuspenseQuery(serverQuery);
  const goOn = () => void navigate({ href: next ?? '/inbox', replace: true });
  useSignedInElsewhere(goOn);
  const send = async (values: Record<string, string>) => {
    try {
      return await signIn(values);
    } catch (error) {
      // Elsewhere this code says that a session has ended.
      if (error instanceof ApiError && error.status === 401)
        throw refusal(400, { code: 4010, message: t('signIn.wrong') });
      throw error;
    }
  };
  const foot =
    server.registration === 'open' || server.domain_sign_up ? (
      <>
        {t('signIn.noAccount')}
        <Link to="/sign-up" search={next === undefined ? {} : { next }}>
          {t('signIn.signUp')}
        </Link>
      </>
    ) : (
      t('signIn.invited')
    );
  return (
    <EntryCard title={t('signIn.title')} foot={foot}>
      {done && <Notice kind="success">{t(`signIn.done.${done}`)}</Notice>}
      <Form send={send} onDone={goOn} submit={t('signIn.submit')}>
        {({ errorOf }) => (
          <>
            <TextField
              label={t('email')}
              name="email"
              type="email"
              autoComplete="username"
              required
              {...(email !== undefined && { defaultValue: email })}
              error={errorOf('email')}
            />
            <PasswordField
              label={t('password')}
              name="password"
              autoComplete="current-password"
              error={errorOf('password')}
            />
            <Link className={styles.forgot} to="/password_resets">
              {t('signIn.forgot')}
            </Link>
          </>
        )}
      </Form>
    </EntryCard>
  );
}
