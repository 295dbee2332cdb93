import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Form } from '../design/form.tsx';
import { AccountFields } from './account-fields.tsx';
import { EntryCard } from './entry-frame.tsx';
import { signUp } from './session.ts';

/** The first minute of a server: whoever is first administers it. */
export function SetUp() {
  const t = useTranslations('entry.setUp');
  const navigate = useNavigate();
  return (
    <EntryCard title={t('title')} lead={t('lead')}>
      <Form send={signUp} onDone={() => void navigate({ to: '/inbox', replace: true })} submit={t('submit')}>
        {({ errorOf }) => <AccountFields errorOf={errorOf} />}
      </Form>
    </EntryCard>
  );
}
