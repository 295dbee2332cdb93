import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { meQuery } from '../api/queries.ts';
import { ButtonLink } from '../design/button.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';

/** For a link into a team that lets nobody in any more. */
export function GoneLink({ of }: { of: 'invitation' | 'joinLink' }) {
  const t = useTranslations('entry');
  const { data: me } = useQuery(meQuery);
  return (
    <EntryCard title={t(`${of}.gone.title`)}>
      <p>{t(`${of}.gone.text`)}</p>
      <div className={styles.actions}>
        {me ? (
          <ButtonLink look="primary" to="/inbox">
            {t('home')}
          </ButtonLink>
        ) : (
          <ButtonLink look="primary" to="/sign-in">
            {t('signIn.title')}
          </ButtonLink>
        )}
      </div>
      {!me && <Link to="/password_resets">{t('signIn.forgot')}</Link>}
    </EntryCard>
  );
}
