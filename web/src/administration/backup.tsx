import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import { showPassword } from '../api/confirmation.ts';
import type { ServerState, SessionItem } from '../api/types.ts';
import { ButtonAnchor } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import styles from './administration.module.css';
import { AdminPage } from './administration.tsx';
import { BackupNotice } from './backup-notice.tsx';
import { serverStateQuery, settingsQuery } from './queries.ts';

const RESTORE = 'node bootstrap.cjs restore parley-backup.zip';
const KEY = 'encryption.key';

/** How to make a backup, and how to restore it. */
export function Backup() {
  const t = useTranslations('administration.backup');
  const query = useQuery(serverStateQuery);
  return (
    <AdminPage part="backup" lead={t('lead')}>
      <Loaded query={query}>
        {({ storage, backup }) => (
          <>
            <BackupNotice backup={backup} />
            <Take />
            <Contents storage={storage} />
            <Restore />
          </>
        )}
      </Loaded>
    </AdminPage>
  );
}

/** A plain link could not ask for the password when the server requires it. */
async function take(): Promise<void> {
  const { data } = await call<SessionItem>('/v1/sessions');
  const confirmed = data.some((session) => session.current && session.confirmed);
  if (confirmed || (await showPassword())) location.assign('/v1/admin/backup');
}

function Take() {
  const t = useTranslations('administration.backup');
  const { data: settings } = useQuery(settingsQuery);
  const isOff = settings?.some(({ name, value }) => name === 'ADMIN_BACKUP' && value === 'off');
  if (isOff) return <Notice kind="warning">{t('off')}</Notice>;
  return (
    <Card title={t('take')} lead={t('secret')}>
      <p>{t('takeHint')}</p>
      <div>
        <ButtonAnchor
          href="/v1/admin/backup"
          download
          look="primary"
          onClick={(event) => {
            event.preventDefault();
            void take();
          }}
        >
          <Download size={18} aria-hidden />
          {t('take')}
        </ButtonAnchor>
      </div>
    </Card>
  );
}

function Contents({ storage }: Pick<ServerState, 'storage'>) {
  const t = useTranslations('administration.backup');
  const hasFiles = storage.kind === 'folder';
  return (
    <div className={styles.two}>
      <Card title={t('holds')}>
        <ul className={styles.bullets}>
          <li>{t('holdsDatabase')}</li>
          {hasFiles && <li>{t('holdsFiles')}</li>}
          <li>{t('holdsReadme')}</li>
        </ul>
      </Card>
      <Card title={t('lacks')}>
        <ul className={styles.bullets}>
          {!hasFiles && <li>{t('lacksS3')}</li>}
          <li>{t('lacksKeys', { key: KEY })}</li>
        </ul>
      </Card>
    </div>
  );
}

function Restore() {
  const t = useTranslations('administration.backup');
  return (
    <Card title={t('restore')}>
      <ol className={styles.numbered}>
        <li>{t('restoreStop')}</li>
        <li>{t('restoreKey', { key: KEY })}</li>
        <li>
          {t('restoreCommand')}
          <Copyable text={RESTORE} name={t('command')} />
        </li>
        <li>{t('restoreStart')}</li>
      </ol>
      <p>{t('restorePostgres')}</p>
      <p>{t('restoreCheck')}</p>
    </Card>
  );
}
