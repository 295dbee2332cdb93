import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { PasswordField, Switch } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Badge, Card } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { AnotherVerification } from '../entry/another-verification.tsx';
import { NewPasswordField } from '../entry/new-password-field.tsx';
import { retold } from '../text/failure.ts';
import styles from './account.module.css';
import { grantsQuery, sessionsQuery, useMe } from './queries.ts';
import { SessionsCard } from './sessions.tsx';
import { SettingsPage } from './settings-page.tsx';

export function SecuritySettings() {
  const t = useTranslations('account.security');
  const me = useMe();
  const { address, verified } = me.primary_email;
  return (
    <SettingsPage tab="security">
      <Card title={t('address')}>
        <p className={styles.line}>
          {address}
          <Badge kind={verified ? 'success' : 'warning'}>{t(verified ? 'verified' : 'notVerified')}</Badge>
        </p>
        {!verified && <AnotherVerification me={me} />}
      </Card>
      <PasswordCard address={address} />
      <SessionsCard />
    </SettingsPage>
  );
}

function PasswordCard({ address }: { address: string }) {
  const t = useTranslations('account.security');
  const entry = useTranslations('entry');
  const [ends, setEnds] = useState(false);
  const change = async ({ current, password }: Record<string, string>) => {
    const body = { current, password, applications: ends ? 'end' : 'keep' };
    try {
      await call('/v1/users/me/password', { method: 'POST', body });
    } catch (error) {
      throw retold(error, { current: t('currentWrong'), password: entry('passwordWeak') });
    }
  };
  const done = () => {
    tell(t('changed'));
    setEnds(false);
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: grantsQuery.queryKey });
  };
  return (
    <Card title={t('password')} lead={t('passwordLead')}>
      <div className={styles.measure}>
        <Form send={change} onDone={done} submit={t('change')} clears>
          {({ errorOf }) => (
            <>
              {/* Tells a password manager whose password it is. */}
              <input type="hidden" name="username" autoComplete="username" value={address} />
              <PasswordField
                label={t('current')}
                name="current"
                autoComplete="current-password"
                error={errorOf('current')}
              />
              <NewPasswordField label={entry('newPassword')} error={errorOf('password')} />
              <Switch
                label={t('endApplications')}
                hint={t('endApplicationsHint')}
                checked={ends}
                onChange={setEnds}
              />
            </>
          )}
        </Form>
      </div>
    </Card>
  );
}
