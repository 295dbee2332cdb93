import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../../api/queries.ts';
import styles from './composer.module.css';

/** Below the field for a reply: whether its team is to see it as well. */
export function AlsoToTeam(props: { team: string; checked: boolean; onChange: (checked: boolean) => void }) {
  const { team, checked, onChange } = props;
  const t = useTranslations('members.composer');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const name = memberships.find((one) => one.team.id === team)?.team.name;
  if (name === undefined) return null;
  return (
    <label className={styles.also}>
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      {t('alsoTo', { team: name })}
    </label>
  );
}
