import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { ServerState } from '../api/types.ts';
import { ButtonAnchor } from '../design/button.tsx';
import { Copyable } from '../design/copy.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import styles from './administration.module.css';
import { AdminPage } from './administration.tsx';
import { serverStateQuery } from './queries.ts';

const RESTORE = 'node bootstrap.cjs restore parley-backup.db';
const POSTGRES_TAKE = 'pg_dump --format=custom --file=parley.dump "$DATABASE_URL"';
const POSTGRES_RESTORE = 'pg_restore --clean --if-exists --dbname="$DATABASE_URL" parley.dump';

/** How one keeps a copy of everything, and gets it back. */
export function Backup() {
  const t = useTranslations('administration.backup');
  const query = useQuery(serverStateQuery);
  return (
    <AdminPage part="backup" lead={t('lead')}>
      <Loaded query={query}>
        {(state) => (
          <>
            {state.database.kind === 'sqlite' ? <Take /> : <Postgres />}
            <Contents state={state} />
            {state.database.kind === 'sqlite' && <Restore />}
          </>
        )}
      </Loaded>
    </AdminPage>
  );
}

function Take() {
  const t = useTranslations('administration.backup');
  return (
    <Card title={t('take')} lead={t('secret')}>
      <div>
        <ButtonAnchor href="/v1/admin/backup" download look="primary">
          <Download size={18} aria-hidden />
          {t('take')}
        </ButtonAnchor>
      </div>
    </Card>
  );
}

function Postgres() {
  const t = useTranslations('administration.backup');
  return (
    <Card title={t('postgres')} lead={t('postgresText')}>
      <Copyable text={POSTGRES_TAKE} name={t('postgresTake')} />
      <p>{t('postgresRestore')}</p>
      <Copyable text={POSTGRES_RESTORE} name={t('command')} />
      <Notice>{t('secret')}</Notice>
    </Card>
  );
}

function Contents({ state }: { state: ServerState }) {
  const t = useTranslations('administration.backup');
  return (
    <div className={styles.two}>
      <Card title={t('holds')}>
        <p>{t('holdsText')}</p>
      </Card>
      <Card title={t('lacks')}>
        <ul className={styles.bullets}>
          <li>
            {state.storage.kind === 's3' ? t('lacksS3') : t('lacksFiles', { folder: 'DATA_DIR/files' })}
          </li>
          <li>{t('lacksKey', { key: 'encryption.key' })}</li>
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
        <li>{t('restoreFiles')}</li>
        <li>
          {t('restoreCommand')}
          <Copyable text={RESTORE} name={t('command')} />
        </li>
        <li>{t('restoreStart')}</li>
      </ol>
    </Card>
  );
}
