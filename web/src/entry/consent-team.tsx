import { useTranslations } from 'use-intl';
import type { ConsentTeam as Team } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import styles from './entry.module.css';

interface ConsentTeamProps {
  readonly teams: readonly Team[];
  readonly team: string | undefined;
  readonly onChange: (team: string) => void;
}

/** The team from which it is opened: a choice where several have it. */
export function ConsentTeam({ teams, team, onChange }: ConsentTeamProps) {
  const t = useTranslations('entry.consent');
  const [first] = teams;
  if (first && teams.length === 1) {
    return (
      <div className={styles.person}>
        <TeamIcon team={first} size="normal" />
        <p>{t('oneTeam', { team: first.name })}</p>
      </div>
    );
  }
  return (
    <fieldset className={styles.choice}>
      <legend>{t('team')}</legend>
      {teams.map((one) => (
        <label key={one.id} className={styles.option}>
          <input
            type="radio"
            name="team"
            value={one.id}
            checked={one.id === team}
            onChange={() => onChange(one.id)}
          />
          <TeamIcon team={one} />
          {one.name}
        </label>
      ))}
    </fieldset>
  );
}
