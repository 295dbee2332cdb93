import { useTranslations } from 'use-intl';
import { Card } from '../design/page.tsx';
import styles from './account.module.css';
import { ExportCard } from './export.tsx';
import { Leave } from './leave.tsx';
import { SettingsPage } from './settings-page.tsx';

export function DataSettings() {
  const t = useTranslations('account.data');
  return (
    <SettingsPage tab="data">
      <ExportCard />
      <Card title={t('close')} lead={t('closeLead')}>
        <Leave
          way="close"
          title={t('closeAsk')}
          description={t('closeLead')}
          path="/v1/users/me/deactivation"
          method="POST"
          done="closed"
        />
      </Card>
      <Card title={t('delete')} lead={t('deleteLead')}>
        <Consequences />
        <Leave
          way="delete"
          title={t('deleteAsk')}
          description={<Consequences />}
          path="/v1/users/me"
          method="DELETE"
          done="deleted"
        />
      </Card>
    </SettingsPage>
  );
}

/** The effects of deletion, as in docs/members.md. */
function Consequences() {
  const t = useTranslations('account.data');
  return (
    <ul className={styles.points}>
      <li>{t('erased')}</li>
      <li>{t('stays')}</li>
      <li>{t('refusedWhen')}</li>
      <li>{t('takeAlong')}</li>
    </ul>
  );
}
