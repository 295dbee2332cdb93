import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, call } from '../api/client.ts';
import { queryClient, serverQuery } from '../api/queries.ts';
import { Button, ButtonLink } from '../design/button.tsx';
import { Switch, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Notice } from '../design/notice.tsx';
import { retold } from '../text/failure.ts';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';
import { NewPasswordField } from './new-password-field.tsx';

/** Asks for the mail with the link. It says the same whether the address has an account or not. */
export function AskForReset() {
  const t = useTranslations('entry');
  const { data: server } = useSuspenseQuery(serverQuery);
  const [email, setEmail] = useState<string>();
  const send = async (values: Record<string, string>) => {
    await call('/v1/password_resets', { method: 'POST', body: values });
    return values.email;
  };
  const foot = <Link to="/sign-in">{t('signIn.title')}</Link>;
  if (email !== undefined) {
    return (
      <EntryCard key="sent" follows title={t(server.mail ? 'reset.sent' : 'reset.kept')} foot={foot}>
        <p>{t(server.mail ? 'reset.sentText' : 'reset.keptText', { email })}</p>
        <Button onClick={() => setEmail(undefined)}>{t('reset.again')}</Button>
      </EntryCard>
    );
  }
  return (
    <EntryCard key="ask" title={t('reset.title')} lead={t('reset.lead')} foot={foot}>
      {!server.mail && <Notice>{t('reset.noMail')}</Notice>}
      <Form send={send} onDone={setEmail} submit={t(server.mail ? 'reset.submit' : 'reset.submitKept')}>
        {({ errorOf }) => (
          <TextField
            label={t('email')}
            name="email"
            type="email"
            autoComplete="username"
            required
            maxLength={254}
            error={errorOf('email')}
          />
        )}
      </Form>
    </EntryCard>
  );
}

/** The page that the mail links to. */
export function ResetPassword() {
  const t = useTranslations('entry');
  const navigate = useNavigate();
  const { token } = useParams({ from: '/entry/password_resets/$token' });
  const [gone, setGone] = useState(false);
  const [ends, setEnds] = useState(true);
  const send = async (values: Record<string, string>) => {
    const body = { ...values, applications: ends ? 'end' : 'keep' };
    try {
      await call(`/v1/password_resets/${encodeURIComponent(token)}`, { method: 'PUT', body });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) setGone(true);
      throw retold(error, { password: t('passwordWeak') });
    }
  };
  const done = () => {
    // It has ended every session, the one of this browser too.
    queryClient.clear();
    void navigate({ to: '/sign-in', search: { done: 'password' }, replace: true });
  };
  if (gone) {
    return (
      <EntryCard key="gone" follows title={t('reset.gone')}>
        <p>{t('reset.goneText')}</p>
        <div className={styles.actions}>
          <ButtonLink look="primary" to="/password_resets">
            {t('reset.another')}
          </ButtonLink>
        </div>
      </EntryCard>
    );
  }
  return (
    <EntryCard key="set" title={t('reset.setTitle')} lead={t('reset.setLead')}>
      <Form send={send} onDone={done} submit={t('reset.setSubmit')}>
        {({ errorOf }) => (
          <>
            <NewPasswordField label={t('newPassword')} error={errorOf('password')} />
            <Switch
              label={t('reset.endApplications')}
              hint={t('reset.endApplicationsHint')}
              checked={ends}
              onChange={setEnds}
            />
          </>
        )}
      </Form>
    </EntryCard>
  );
}
