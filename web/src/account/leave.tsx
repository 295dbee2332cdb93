import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, call } from '../api/client.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { PasswordField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Notice } from '../design/notice.tsx';
import { leaveFor } from '../entry/session.ts';
import { forgetTexts } from '../storage/texts.ts';
import { retold } from '../text/failure.ts';
import styles from './account.module.css';
import { useMe } from './queries.ts';

interface LeaveProps {
  readonly way: 'close' | 'delete';
  readonly title: string;
  readonly description: ReactNode;
  readonly path: string;
  readonly method: 'POST' | 'DELETE';
  /** The message on the sign-in page afterwards. */
  readonly done: 'closed' | 'deleted';
}

/** Asks for the password, and says why the server refuses. */
export function Leave({ way, title, description, path, method, done }: LeaveProps) {
  const t = useTranslations('account.data');
  const me = useMe();
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<ApiError>();
  const send = async ({ password }: Record<string, string>) => {
    setRefusal(undefined);
    try {
      await call(path, { method, body: { password } });
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) setRefusal(error);
      throw retold(error, { password: t('passwordWrong') });
    }
  };
  const close = () => {
    setAsking(false);
    setRefusal(undefined);
  };
  return (
    <div>
      <Button look={way === 'delete' ? 'danger' : 'secondary'} onClick={() => setAsking(true)}>
        {t(way)}
      </Button>
      <Dialog open={asking} onClose={close} title={title}>
        <div className={styles.soft}>{description}</div>
        <Form
          send={send}
          onDone={async () => {
            // What was begun in an account that comes back stays for it.
            if (way === 'delete') await forgetTexts(me.id);
            leaveFor(`/sign-in?${new URLSearchParams({ done })}`);
          }}
          submit={t(way)}
          look="danger"
        >
          {({ errorOf }) => (
            <>
              <PasswordField
                label={t('yourPassword')}
                name="password"
                autoComplete="current-password"
                error={errorOf('password')}
              />
              {refusal && <Refusal refusal={refusal} />}
            </>
          )}
        </Form>
      </Dialog>
    </div>
  );
}

const REASONS = ['owns_applications', 'last_admin', 'last_superuser'] as const;

/** Why deletion is refused, and where to resolve it. The server's text names the teams or applications. */
function Refusal({ refusal }: { refusal: ApiError }) {
  const t = useTranslations('account.data');
  const reason = REASONS.find((one) => one === refusal.reason);
  return (
    <Notice kind="warning">
      {reason && <p>{t(`refused.${reason}`)}</p>}
      {reason === 'owns_applications' && <Link to="/developers">{t('toApplications')}</Link>}
      {reason === 'last_superuser' && <Link to="/admin/users">{t('toAdministration')}</Link>}
    </Notice>
  );
}
