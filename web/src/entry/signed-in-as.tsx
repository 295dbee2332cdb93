import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { SessionUser } from '../api/types.ts';
import { Avatar } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { nameOf } from '../design/person.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './entry.module.css';
import { signOut } from './session.ts';

/** The signed-in account, and a link to switch to another. @param props.back the page to return to */
export function SignedInAs({ me, back }: { me: SessionUser; back: string }) {
  const t = useTranslations('entry');
  const failure = useFailureText();
  const leave = useMutation({
    mutationFn: () => signOut(`/sign-in?${new URLSearchParams({ next: back })}`),
  });
  return (
    <div className={styles.as}>
      <div className={styles.person}>
        <Avatar person={me} />
        <div>
          <p>{t('consent.as', { name: nameOf(me) })}</p>
          <p className={styles.soft}>{me.primary_email.address}</p>
        </div>
      </div>
      <Button small look="quiet" busy={leave.isPending} onClick={() => leave.mutate()}>
        {t('switchAccount')}
      </Button>
      {leave.error && <Notice kind="danger">{failure(leave.error)}</Notice>}
    </div>
  );
}
