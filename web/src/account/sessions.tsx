import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, call } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { SessionItem } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/dialog.tsx';
import { Notice } from '../design/notice.tsx';
import { Badge, Card } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './account.module.css';
import { readDevice } from './device.ts';
import { sessionsQuery } from './queries.ts';

const reload = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });

/** If it has ended already, the goal is reached. */
async function end({ id }: SessionItem): Promise<void> {
  try {
    await call(`/v1/sessions/${id}`, { method: 'DELETE' });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

export function SessionsCard() {
  const t = useTranslations('account.security');
  const query = useQuery(sessionsQuery);
  const [asking, setAsking] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const others = query.data?.filter(({ current }) => !current) ?? [];
  const endOthers = async () => {
    try {
      for (const session of others) await end(session);
    } finally {
      await reload();
    }
    tell(t('othersEnded'));
  };
  return (
    <Card title={t('sessions')} lead={t('sessionsLead')}>
      <Loaded query={query} rows={2}>
        {(sessions) => (
          <ul ref={list} tabIndex={-1} className={styles.sessions}>
            {sessions.map((session) => (
              // Its button disappears, so the focus moves to the list.
              <Session key={session.id} session={session} onEnd={() => list.current?.focus()} />
            ))}
          </ul>
        )}
      </Loaded>
      {others.length > 1 && (
        <div>
          <Button onClick={() => setAsking(true)}>{t('endOthers')}</Button>
        </div>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('endOthersAsk')}
        description={t('endOthersText')}
        action={t('endOthers')}
        act={endOthers}
      />
    </Card>
  );
}

function Session({ session, onEnd }: { session: SessionItem; onEnd: () => void }) {
  const t = useTranslations('account.security');
  const failure = useFailureText();
  const { browser, system } = readDevice(session.user_agent);
  const device = browser
    ? t('device', { browser, system: system ?? t('unknownSystem') })
    : session.user_agent.split(/[\s(]/)[0] || t('unknownDevice');
  const ending = useMutation({
    mutationFn: () => end(session),
    onSuccess: async () => {
      onEnd();
      await reload();
      tell(t('ended'));
    },
  });
  return (
    <li className={styles.session}>
      <div>
        <p className={styles.line}>
          <strong title={session.user_agent}>{device}</strong>
          {session.current && <Badge kind="success">{t('here')}</Badge>}
        </p>
        <p className={styles.soft}>
          {t.rich('from', { address: session.address, time: () => <Time at={session.seen_at} /> })}
        </p>
        <p className={styles.soft}>{t.rich('since', { time: () => <Time at={session.created_at} /> })}</p>
        {ending.error && <Notice kind="danger">{failure(ending.error)}</Notice>}
      </div>
      {!session.current && (
        <Button
          small
          busy={ending.isPending}
          aria-label={t('endOne', { device })}
          onClick={() => ending.mutate()}
        >
          {t('end')}
        </Button>
      )}
    </li>
  );
}
