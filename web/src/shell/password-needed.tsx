import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import { askPasswordWith } from '../api/confirmation.ts';
import { Dialog } from '../design/dialog.tsx';
import { PasswordField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { retold } from '../text/failure.ts';

type Answer = (shown: boolean) => void;

/** Asks for the password when the server requires it for a sensitive act, which is then continued. */
export function PasswordNeeded() {
  const t = useTranslations('common.confirmation');
  const [waiting, setWaiting] = useState<readonly Answer[]>([]);
  useEffect(() => {
    askPasswordWith(() => new Promise((answer) => setWaiting((others) => [...others, answer])));
    return () => askPasswordWith(undefined);
  }, []);
  const answer = (shown: boolean) => {
    for (const one of waiting) one(shown);
    setWaiting([]);
  };
  const send = async ({ password }: Record<string, string>) => {
    try {
      await call('/v1/sessions/current/confirmation', { method: 'POST', body: { password } });
    } catch (error) {
      throw retold(error, { password: t('wrong') });
    }
  };
  return (
    <Dialog
      open={waiting.length > 0}
      onClose={() => answer(false)}
      title={t('title')}
      description={t('text')}
    >
      <Form send={send} onDone={() => answer(true)} submit={t('submit')}>
        {({ errorOf }) => (
          <PasswordField
            label={t('password')}
            name="password"
            autoComplete="current-password"
            error={errorOf('password')}
          />
        )}
      </Form>
    </Dialog>
  );
}
