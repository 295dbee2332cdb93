import { useTranslations } from 'use-intl';
import type { ServerState } from '../api/types.ts';
import { Notice } from '../design/notice.tsx';

/** Reminds of a backup that is missing, too old, or failed. */
export function BackupNotice({ backup: { state, failed, last_at } }: Pick<ServerState, 'backup'>) {
  const t = useTranslations('administration.backup');
  if (failed) return <Notice kind="danger">{t('failed')}</Notice>;
  // A server that has just been set up is not late, and has none all the same.
  const shown = last_at === null ? 'missing' : state;
  return shown === 'ok' ? null : <Notice kind="warning">{t(shown)}</Notice>;
}
