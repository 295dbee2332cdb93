import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { serverQuery } from '../api/queries.ts';
import { useScopeText } from '../text/scopes.ts';
import styles from './teams.module.css';

/** The contents of the install callback. @param props.members how many the team has */
export function ToldOnInstall({ members }: { members: number }) {
  const t = useTranslations('teams.install');
  return (
    <div>
      <h3>{t('told')}</h3>
      <ul className={styles.bullets}>
        <li>{t('toldTeam')}</li>
        <li>{t('toldMembers', { count: members })}</li>
        <li>{t('toldInstaller')}</li>
        <li>{t('toldLater')}</li>
      </ul>
    </div>
  );
}

/** The rights that every application has for a member who opens it. */
export function MayDo() {
  const t = useTranslations('teams.install');
  const { data: server } = useSuspenseQuery(serverQuery);
  const reach = { reach: server.application_posting };
  return (
    <div>
      <h3>{t('may')}</h3>
      <ul className={styles.bullets}>
        <li>{t('mayProfile')}</li>
        <li>{t('maySettings', reach)}</li>
        <li>{t('mayTeams', reach)}</li>
        <li>{t('mayConnections', reach)}</li>
        <li>{t('mayPeople', { seen: server.profile_visibility })}</li>
        <li>{t('mayPost', reach)}</li>
      </ul>
    </div>
  );
}

/** The additional scopes it asks for; empty without any. */
export function Asks({ scopes }: { scopes: readonly string[] }) {
  const t = useTranslations('teams.install');
  if (scopes.length === 0) return null;
  return (
    <div>
      <h3>{t('asks')}</h3>
      <ScopeList scopes={scopes} />
    </div>
  );
}

/** Scopes in words. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const textOf = useScopeText();
  return (
    <ul className={styles.bullets}>
      {scopes.map((scope) => (
        <li key={scope}>{textOf(scope)}</li>
      ))}
    </ul>
  );
}
