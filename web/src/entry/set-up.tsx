import { useSuspenseQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { serverQuery } from '../api/queries.ts';
import { EntryCard } from './entry-frame.tsx';
import { SignUpForm } from './sign-up-form.tsx';

/** The first minute of a server. Behind `#` is the token of the link that its start printed. */
export function SetUp() {
  const t = useTranslations('entry.setUp');
  const navigate = useNavigate();
  const { data: server } = useSuspenseQuery(serverQuery);
  const token = useLocation({ select: ({ hash }) => hash });
  if (server.needs_setup_link && token === '') {
    return (
      <EntryCard title={t('title')} lead={t('linkNeeded')}>
        <p>{t('whereLink')}</p>
        <p>{t('otherwise')}</p>
        <code>node bootstrap.cjs user create you@example.org --superuser</code>
      </EntryCard>
    );
  }
  return (
    <EntryCard title={t('title')} lead={t('lead')}>
      <SignUpForm
        submit={t('submit')}
        setUpToken={token}
        onDone={() => void navigate({ to: '/welcome', replace: true })}
      />
    </EntryCard>
  );
}
