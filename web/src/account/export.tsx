import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { ApiError } from '../api/client.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './account.module.css';
import { download } from './download.ts';

/** Downloads all data of the account as one file. */
export function ExportCard() {
  const t = useTranslations('account.data');
  const failure = useFailureText();
  const format = useFormatter();
  const [bytes, setBytes] = useState(0);
  const stop = useRef<AbortController>(null);
  const fetching = useMutation({
    mutationFn: () => {
      setBytes(0);
      stop.current = new AbortController();
      return download('/v1/users/me/export', 'parley-export.zip', setBytes, stop.current.signal);
    },
    onSuccess: () => tell(t('downloaded')),
  });
  const { error, isPending } = fetching;
  const stopped = stop.current?.signal.aborted;
  const busy = error instanceof ApiError && error.status === 429;
  const size = format.number(bytes / 1_000_000, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 1,
  });
  return (
    <Card title={t('export')} lead={t('exportLead')}>
      {error && !stopped && <Notice kind="danger">{busy ? t('busy') : failure(error)}</Notice>}
      <div className={styles.actions}>
        <Button busy={isPending} onClick={() => fetching.mutate()}>
          {t('download')}
        </Button>
        {isPending && (
          <Button look="quiet" onClick={() => stop.current?.abort()}>
            {t('stop')}
          </Button>
        )}
        {isPending && <span className={styles.soft}>{t('preparing', { size })}</span>}
      </div>
    </Card>
  );
}
