import { useMutation, useQuery } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { deviceQuery, subscribe } from '../../account/push-device.ts';
import { queryClient } from '../../api/queries.ts';
import { signal } from '../../api/signal.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { keepPreference, readPreference } from '../../storage/preferences.ts';
import { useFailureText } from '../../text/failure.ts';
import { useMessageView } from '../state/view-context.tsx';
import styles from './notification-offer.module.css';

/** Who has answered the offer in this browser. */
const ANSWERED = 'push.answered';

const hasPosted = signal(false);
/** Answers may come to what was sent. */
export const notePosted = (): void => hasPosted.set(true);

/** The same beside the field to write in, once something was sent. */
export function OfferAfterPosting() {
  return hasPosted.useValue() && <NotificationOffer />;
}

/** Offers notifications where they would be missed, until the reader has answered once. */
export function NotificationOffer() {
  const t = useTranslations('members.offer');
  const failure = useFailureText();
  const { me } = useMessageView();
  const [isAnswered, setAnswered] = useState(() => readPreference(ANSWERED) === me.id);
  const { data } = useQuery({ ...deviceQuery, enabled: !isAnswered });
  const answer = () => {
    keepPreference(ANSWERED, me.id);
    setAnswered(true);
  };
  const turnOn = useMutation({
    mutationFn: () => subscribe(me.id),
    onSuccess: answer,
    onSettled: () => queryClient.invalidateQueries({ queryKey: deviceQuery.queryKey }),
  });
  if (isAnswered || data?.standing !== 'off') return null;
  return (
    <section className={styles.offer} aria-label={t('title')}>
      <BellRing size={20} aria-hidden />
      <div className={styles.text}>
        <strong>{t('title')}</strong>
        <p>{t('text')}</p>
        {turnOn.error && <Notice kind="danger">{failure(turnOn.error)}</Notice>}
      </div>
      <div className={styles.actions}>
        <Button small look="primary" busy={turnOn.isPending} onClick={() => turnOn.mutate()}>
          {t('turnOn')}
        </Button>
        <Button small look="quiet" onClick={answer}>
          {t('later')}
        </Button>
      </div>
    </section>
  );
}
