import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ServerState } from '../api/types.ts';
import { Notice } from '../design/notice.tsx';

/** Reminds of a backup that is missing, too old, or failed. @param props.action a button at its end */
export function BackupNotice(props: Pick<ServerState, 'backup'> & { action?: ReactNode }) {
  const { backup, action } = props;
  const { state, failed, last_at } = backup;
  const t = useTranslations('administration.backup');
  if (failed)
    return (
      <Notice kind="danger" action={action}>
        {t('failed')}
      </Notice>
    );
  // A server that has just been set up is not late, and has none all the same.
  const shown = last_at === null ? 'missing' : state;
  return shown === 'ok' ? null : (
    <Notice kind="warning" action={action}>
      {t(shown)}
    </Notice>
  );
}
