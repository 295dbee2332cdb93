import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { EntryCard } from './entry-frame.tsx';
import { SignUpForm } from './sign-up-form.tsx';

/** The first minute of a server: whoever is first administers it. */
export function SetUp() {
  const t = useTranslations('entry.setUp');
  const navigate = useNavigate();
  return (
    <EntryCard title={t('title')} lead={t('lead')}>
      <SignUpForm submit={t('submit')} onDone={() => void navigate({ to: '/welcome', replace: true })} />
    </EntryCard>
  );
}
