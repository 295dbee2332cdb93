import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, call } from '../api/client.ts';
import { hostOf } from '../api/host.ts';
import { queryClient, serverQuery } from '../api/queries.ts';
import type { Grant } from '../api/types.ts';
import { ApplicationIcon } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/dialog.tsx';
import { Card } from '../design/page.tsx';
import { Empty, Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { tell } from '../design/toast.tsx';
import { useScopeText } from '../text/scopes.ts';
import styles from './account.module.css';
import { grantsQuery } from './queries.ts';
import { SettingsPage } from './settings-page.tsx';

/** The user's grants to applications. */
export function ApplicationSettings() {
  const t = useTranslations('account.applications');
  const query = useQuery(grantsQuery);
  const [ending, setEnding] = useState<Grant>();
  const list = useRef<HTMLUListElement>(null);
  const end = async () => {
    if (!ending) return;
    try {
      await call(`/v1/users/me/grants/${ending.id}`, { method: 'DELETE' });
    } catch (error) {
      // If it has ended already, the goal is reached.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
    await queryClient.invalidateQueries({ queryKey: grantsQuery.queryKey });
    tell(t('ended', { name: ending.application.name }));
    list.current?.focus();
  };
  return (
    <SettingsPage tab="applications">
      <Card title={t('title')} lead={t('lead')}>
        <Loaded query={query} rows={2}>
          {(grants) =>
            grants.length === 0 ? (
              <Empty title={t('none')}>
                <p>{t('noneText')}</p>
              </Empty>
            ) : (
              <ul ref={list} tabIndex={-1} className={styles.sessions}>
                {grants.map((grant) => (
                  <Connected key={grant.id} grant={grant} onEnd={() => setEnding(grant)} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      <Confirm
        open={ending !== undefined}
        onClose={() => setEnding(undefined)}
        title={t('endAsk', { name: ending?.application.name ?? '' })}
        description={t('endText')}
        action={t('end')}
        act={end}
      />
    </SettingsPage>
  );
}

function Connected({ grant, onEnd }: { grant: Grant; onEnd: () => void }) {
  const t = useTranslations('account.applications');
  const textOf = useScopeText();
  const { application, team, scopes, created_at, last_used_at } = grant;
  const { data: server } = useSuspenseQuery(serverQuery);
  return (
    <li className={styles.session}>
      <div>
        <p className={styles.line}>
          <ApplicationIcon application={application} />
          <strong>{application.name}</strong>
        </p>
        <p className={styles.soft}>
          {application.base_url === null
            ? t('whereNative', { team: team.name })
            : t('where', { team: team.name, host: hostOf(application.base_url) })}
        </p>
        <p>{t('always', { reach: server.application_posting })}</p>
        {scopes.length > 0 && (
          <ul>
            {scopes.map((scope) => (
              <li key={scope}>{textOf(scope)}</li>
            ))}
          </ul>
        )}
        <p className={styles.soft}>{t.rich('since', { time: () => <Time at={created_at} /> })}</p>
        {last_used_at !== null && (
          <p className={styles.soft}>{t.rich('lastUsed', { time: () => <Time at={last_used_at} /> })}</p>
        )}
      </div>
      <Button small aria-label={t('endOne', { name: application.name, team: team.name })} onClick={onEnd}>
        {t('end')}
      </Button>
    </li>
  );
}
