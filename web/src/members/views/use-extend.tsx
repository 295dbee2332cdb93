import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../design/button.tsx';
import { useFailureText } from '../../text/failure.ts';
import { extend } from '../state/lists.ts';
import styles from './frame.module.css';

type End = 'older' | 'newer';

/** Loads more at a list's ends; after a failure only on request. */
export function useExtend(queryKey: QueryKey): {
  readonly busy: boolean;
  readonly failure: ReactNode;
  read(end: End): void;
} {
  const t = useTranslations('common');
  const text = useFailureText();
  const [running, setRunning] = useState(0);
  const [failed, setFailed] = useState<{ end: End; error: unknown }>();
  const name = JSON.stringify(queryKey);
  const read = useMemo(
    () => (end: End) => {
      setRunning((count) => count + 1);
      extend(JSON.parse(name) as QueryKey, end)
        .then(
          () => setFailed(undefined),
          (error: unknown) => setFailed({ end, error }),
        )
        .finally(() => setRunning((count) => count - 1));
    },
    [name],
  );
  const failure = failed && (
    <div className={styles.failed} role="alert">
      {text(failed.error)}{' '}
      <Button small onClick={() => read(failed.end)}>
        {t('retry')}
      </Button>
    </div>
  );
  return useMemo(
    () => ({ busy: running > 0, failure, read: failed ? () => undefined : read }),
    [running, failure, read, failed],
  );
}
