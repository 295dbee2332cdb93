import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Delivery } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { useFailureText } from '../text/failure.ts';
import { lastAttempt, useReasonText } from './delivery-parts.tsx';
import styles from './developers.module.css';
import { sendTestCallback } from './queries.ts';

/** Makes the platform call the application, and shows its answer. */
export function TestCallback({ application, small = false }: { application: string; small?: boolean }) {
  const t = useTranslations('developers.test');
  const failure = useFailureText();
  const mutation = useMutation({ mutationFn: () => sendTestCallback(application) });
  return (
    <div className={styles.group}>
      <div>
        <Button small={small} busy={mutation.isPending} onClick={() => mutation.mutate()}>
          <Send size={16} aria-hidden />
          {t('send')}
        </Button>
      </div>
      {mutation.error && <Notice kind="danger">{failure(mutation.error)}</Notice>}
      <div role="status">{mutation.data && <Result delivery={mutation.data} />}</div>
    </div>
  );
}

function Result({ delivery }: { delivery: Delivery }) {
  const t = useTranslations('developers.test');
  const reasonText = useReasonText();
  const attempt = lastAttempt(delivery);
  const milliseconds = Math.round((attempt?.duration ?? 0) * 1000);
  const params = { application: delivery.application, delivery: delivery.id };
  const link = (
    <Link to="/developers/$application/deliveries/$delivery" params={params}>
      {t('details')}
    </Link>
  );
  const reason = attempt && reasonText(delivery, attempt);
  return reason ? (
    <Notice kind="danger">
      {reason} {link}
    </Notice>
  ) : (
    <Notice kind="success">
      {t('answered', { milliseconds })} {link}
    </Notice>
  );
}
