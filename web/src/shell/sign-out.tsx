import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Confirm } from '../design/dialog.tsx';
import { tell } from '../design/toast.tsx';
import { signOut } from '../entry/session.ts';
import { countTexts, forgetTexts } from '../storage/texts.ts';
import { useFailureText } from '../text/failure.ts';
import { forgetRecent } from './recent.ts';

/** Ends the session, or tells why it could not. It asks first where texts of the user would be lost by it. */
export function useSignOut(user = ''): { leave: () => void; question: ReactNode } {
  const t = useTranslations('shell');
  const failure = useFailureText();
  const [asked, setAsked] = useState<number>();
  const leave = () => {
    const unsent = countTexts(user);
    if (unsent > 0) setAsked(unsent);
    else
      void signOut('/sign-in', async () => forgetRecent(user)).catch((error: unknown) =>
        tell(failure(error)),
      );
  };
  const question = (
    <Confirm
      open={asked !== undefined}
      onClose={() => setAsked(undefined)}
      title={t('signOutAsk')}
      description={t('signOutUnsent', { count: asked ?? 0 })}
      action={t('signOut')}
      act={() =>
        signOut('/sign-in', async () => {
          await forgetTexts(user);
          forgetRecent(user);
        })
      }
    />
  );
  return { leave, question };
}
