import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ApiError } from '../api/client.ts';
import { outsideUrl } from '../api/outside.ts';
import { membershipsQuery } from '../api/queries.ts';
import { ADMIN, type Consent } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { ButtonAnchor, ButtonLink } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { Failure } from '../design/states.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';

/** The error is shown to the user alone: the application cannot be told of it (RFC 6749 §4.1.2.1). */
export function ConsentRefused({ error, retry }: { error: Error; retry: () => void }) {
  const t = useTranslations('entry');
  if (!(error instanceof ApiError) || error.status >= 429) return <Failure error={error} retry={retry} />;
  const mistakes = Object.entries(error.fields).map(([field, message]) => `${field} ${message}`);
  const known = error.status === 404 ? 'wrongApplication' : undefined;
  const what = known ?? ('redirect_uri' in error.fields ? 'wrongAddress' : 'wrongOther');
  return (
    <EntryCard title={t('consent.wrong')}>
      <Notice kind="danger">
        <p>{t(`consent.${what}`)}</p>
        {what !== 'wrongApplication' && (
          <p>
            <code>{mistakes.join('; ')}</code>
          </p>
        )}
      </Notice>
      <p>{t('consent.stays')}</p>
      <div className={styles.actions}>
        <ButtonLink to="/inbox">{t('home')}</ButtonLink>
      </div>
    </EntryCard>
  );
}

/** It acts from teams, and none of the user's teams has it installed. */
export function NotInstalled({ asked }: { asked: Consent }) {
  const t = useTranslations('entry');
  const { application } = asked;
  const home = application.base_url === null ? undefined : outsideUrl(application.base_url);
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const administered = memberships.filter(({ membership_type }) => membership_type === ADMIN);
  return (
    <EntryCard
      title={t('consent.notInstalled')}
      icon={<ApplicationIcon application={application} size="large" />}
      lead={t('consent.notInstalledText', { application: application.name })}
    >
      <div className={styles.stack}>
        {administered.map(({ team }) => (
          <ButtonLink
            key={team.id}
            look="primary"
            to="/teams/$team/applications"
            params={{ team: team.id }}
            search={{ install: application.id }}
          >
            {t('consent.installOn', { team: team.name })}
          </ButtonLink>
        ))}
        {administered.length === 0 && <Notice>{t('consent.askAdmin')}</Notice>}
        {home !== undefined && (
          <ButtonAnchor href={home} rel="noreferrer">
            {t('consent.back', { application: application.name })}
          </ButtonAnchor>
        )}
      </div>
      <p className={styles.soft}>{t('consent.stays')}</p>
    </EntryCard>
  );
}
