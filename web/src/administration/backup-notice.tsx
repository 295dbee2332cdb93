import { useTranslations } from 'use-intl';
import type { ServerState } from '../api/types.ts';
import { Notice } from '../design/notice.tsx';

/** Reminds of a backup that is missing, too old, or failed. */
export function BackupNotice({ backup: { state, failed } }: Pick<ServerState, 'backup'>) {
  const t = useTranslations('administration.backup');
  if (failed) return <Notice kind="danger">{t('failed')}</Notice>;
  return state === 'ok' ? null : <Notice kind="warning">{t(state)}</Notice>;
}
