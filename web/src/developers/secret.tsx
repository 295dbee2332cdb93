import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Application } from '../api/types.ts';
import { Copyable } from '../design/copy.tsx';
import { Select } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { useApplication } from './application.tsx';
import { PUBLIC } from './application-fields.tsx';
import styles from './developers.module.css';
import { type NewSecret, rotate } from './queries.ts';
import { SecretReveal } from './secret-reveal.tsx';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const OVERLAPS = [0, HOUR_S, DAY_S, 7 * DAY_S, 30 * DAY_S];

/** Makes a new secret, and shows how long the previous one remains valid. */
export function SecretView() {
  const t = useTranslations('developers.secret');
  const application = useApplication();
  const { id, previous_secret_expires_at: until } = application;
  const [secret, setSecret] = useState<NewSecret>();
  const onMade = (made: NewSecret) => {
    if (made.client_secret === undefined) tell(t('takenOver'));
    else setSecret(made);
  };
  const send = async ({ overlap }: Record<string, string>) => onMade(await rotate(id, Number(overlap)));
  const onStored = () => {
    setSecret(undefined);
    // The pressed button is gone.
    document.getElementById('content')?.focus();
    tell(t('storedDone'));
  };
  return (
    <>
      {until !== null && <OldSecret until={until} />}
      {secret?.client_secret !== undefined ? (
        <SecretReveal
          id={id}
          secret={secret.client_secret}
          webhookKeys={secret.webhook_keys}
          onStored={onStored}
        />
      ) : application.suspension?.awaits_owner ? (
        <TakeOver application={application} onDone={onMade} />
      ) : application.token_endpoint_auth_method === PUBLIC ? (
        <Card title={t('publicTitle')} lead={t('publicLead')}>
          <div className={styles.group}>
            <h3>{t('clientId')}</h3>
            <Copyable text={id} name={t('clientId')} />
          </div>
        </Card>
      ) : (
        <Card title={t('title')} lead={t('lead')}>
          <div className={styles.group}>
            <h3>{t('clientId')}</h3>
            <Copyable text={id} name={t('clientId')} />
          </div>
          <Form send={send} submit={t('rotate')}>
            {({ errorOf }) => (
              <Select
                label={t('overlap')}
                name="overlap"
                defaultValue={DAY_S}
                hint={t('overlapHint')}
                error={errorOf('overlap_seconds')}
              >
                {OVERLAPS.map((seconds) => (
                  <option key={seconds} value={seconds}>
                    {t('overlapFor', { hours: seconds / HOUR_S, days: seconds / DAY_S })}
                  </option>
                ))}
              </Select>
            )}
          </Form>
        </Card>
      )}
    </>
  );
}

/** New secrets wake an application that sleeps since others may have the ones before. */
function TakeOver(props: { application: Application; onDone: (made: NewSecret) => void }) {
  const { application, onDone } = props;
  const t = useTranslations('developers.secret');
  const { base_url, preinstall_url, uninstall_url, team_update_url, interaction_url, redirect_uris } =
    application;
  const addresses = [base_url, preinstall_url, uninstall_url, team_update_url, interaction_url];
  addresses.push(...redirect_uris);
  const send = async () => onDone(await rotate(application.id, 0));
  return (
    <Card title={t('takeOverTitle')} lead={t('takeOverText')}>
      <p>{t('takeOverAddresses')}</p>
      <ul>
        {[...new Set(addresses)].map(
          (address) =>
            address !== null && (
              <li key={address}>
                <bdi>{address}</bdi>
              </li>
            ),
        )}
      </ul>
      <Form send={send} submit={t('takeOver')}>
        {() => null}
      </Form>
    </Card>
  );
}

function OldSecret({ until }: { until: number }) {
  const t = useTranslations('developers.secret');
  const seconds = useSecondsUntil(until);
  if (seconds === 0) return <Notice kind="success">{t('oldEnded')}</Notice>;
  const parts = {
    days: Math.floor(seconds / DAY_S),
    hours: Math.floor((seconds % DAY_S) / HOUR_S),
    minutes: Math.floor((seconds % HOUR_S) / 60),
    seconds: seconds % 60,
  };
  return (
    <Notice kind="warning">
      {t('oldWorks')} <strong role="timer">{t(parts.days > 0 ? 'remainingDays' : 'remaining', parts)}</strong>
    </Notice>
  );
}

/** @param until seconds since 1970 */
function useSecondsUntil(until: number): number {
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil(until - now / 1000));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return left;
}
