import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ShownInvitation } from '../api/types.ts';
import { Button, ButtonLink } from '../design/button.tsx';
import styles from './entry.module.css';
import { addressForNewcomer } from './newcomer.ts';
import { SignUpForm } from './sign-up-form.tsx';

/** Without a session: signs up with the invited address, or signs in. */
export function JoinSignedOut({ invitation, token }: { invitation: ShownInvitation; token: string }) {
  const t = useTranslations('entry.invitation');
  const navigate = useNavigate();
  const { has_account, email, team } = invitation;
  const [isNew, setNew] = useState(!has_account);
  const signIn = { next: `/invitations/${token}`, ...(has_account && { email }) };
  if (!isNew) {
    return (
      <div className={styles.stack}>
        <p>{t('hasAccount', { email })}</p>
        <ButtonLink look="primary" to="/sign-in" search={signIn}>
          {t('signInAndJoin')}
        </ButtonLink>
        <Button look="quiet" onClick={() => setNew(true)}>
          {t('newAccount')}
        </Button>
      </div>
    );
  }
  return (
    <>
      <SignUpForm
        submit={t('signUpAndJoin')}
        invitation={token}
        {...(!has_account && { email })}
        onDone={() => void navigate({ href: addressForNewcomer(team.id), replace: true })}
      />
      <div className={styles.foot}>
        {t('haveAccount')}
        <ButtonLink small look="quiet" to="/sign-in" search={signIn}>
          {t('signInAndJoin')}
        </ButtonLink>
      </div>
    </>
  );
}
