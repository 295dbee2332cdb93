import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { queryClient } from '../api/queries.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './account.module.css';
import { type Device, deviceQuery, sendTest, subscribe, unsubscribe } from './push-device.ts';
import { useMe } from './queries.ts';

/** Whether this browser gets notifications, and the way to get them. */
export function PushCard() {
  const t = useTranslations('account.push');
  return (
    <Card title={t('here')} lead={t('hereLead')}>
      <Loaded query={useQuery(deviceQuery)} rows={1}>
        {(device) => <ThisDevice {...device} />}
      </Loaded>
    </Card>
  );
}

function ThisDevice({ standing, device }: Device) {
  const t = useTranslations('account.push');
  const failure = useFailureText();
  const me = useMe();
  const isOn = standing === 'on' || standing === 'windows';
  const reload = () => queryClient.invalidateQueries({ queryKey: deviceQuery.queryKey });
  const turn = useMutation({
    mutationFn: () => (isOn ? unsubscribe(device) : subscribe(me.id)),
    onSettled: reload,
  });
  const test = useMutation({
    mutationFn: async () => device && sendTest(device),
    onSuccess: () => tell(t('tested')),
    onSettled: reload,
  });
  const error = turn.error ?? test.error;
  const isOffered = isOn || standing === 'off';
  return (
    <>
      <p>{t(`standing.${standing}`)}</p>
      {device?.failing && <Notice>{t('failing')}</Notice>}
      {isOffered && (
        <div className={styles.actions}>
          <Button
            {...(standing === 'off' && { look: 'primary' as const })}
            busy={turn.isPending}
            onClick={() => turn.mutate()}
          >
            {isOn ? t('turnOff') : t('turnOn')}
          </Button>
          {standing === 'on' && (
            <Button busy={test.isPending} onClick={() => test.mutate()}>
              {t('test')}
            </Button>
          )}
        </div>
      )}
      {error && (
        <Notice kind="danger">{error instanceof DOMException ? t('refused') : failure(error)}</Notice>
      )}
    </>
  );
}
