import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Card } from '../design/page.tsx';
import { PersonChip } from '../design/person.tsx';
import { adminsQuery } from './queries.ts';
import styles from './teams.module.css';

const SHOWN = 8;

/** The admins to ask, for members who may not change something. */
export function Admins({ team }: { team: string }) {
  const t = useTranslations('teams.admins');
  const { data: admins = [] } = useQuery(adminsQuery(team));
  return (
    <Card title={t('title')} lead={t('manage')}>
      <ul className={styles.people}>
        {admins.slice(0, SHOWN).map(({ user }) => (
          <li key={user.id}>
            <PersonChip person={user} />
          </li>
        ))}
        {admins.length > SHOWN && <li>{t('some', { count: admins.length - SHOWN })}</li>}
      </ul>
    </Card>
  );
}
