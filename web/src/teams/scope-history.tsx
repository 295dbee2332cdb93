import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Installation, ScopeDecision } from '../api/types.ts';
import { Card } from '../design/page.tsx';
import { PersonLink } from '../design/person.tsx';
import { Loaded } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { ScopeList } from './grants.tsx';
import { scopeHistoryQuery } from './queries.ts';
import styles from './teams.module.css';

/** What admins decided about the scopes of an installation, the newest first. */
export function ScopeHistory({ installation }: { installation: Installation }) {
  const t = useTranslations('teams.application');
  const query = useQuery(scopeHistoryQuery(installation.team, installation.application.id));
  return (
    <Card title={t('history')}>
      <Loaded query={query} rows={2}>
        {(decisions) => (
          <ol className={styles.stack} aria-label={t('history')}>
            {decisions.map((decision) => (
              <Entry key={decision.decided_at} decision={decision} />
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  );
}

function Entry({ decision }: { decision: ScopeDecision }) {
  const t = useTranslations('teams.application');
  const { decided_at: at, decided_by: by, added, removed, declined } = decision;
  const parts = { historyAdded: added, historyRemoved: removed, historyDeclined: declined } as const;
  const shown = Object.entries(parts).filter(([, scopes]) => scopes.length > 0);
  return (
    <li>
      <p className={styles.soft}>
        <Time at={at} style="full" /> · {by ? <PersonLink person={by} /> : t('historyBefore')}
      </p>
      {shown.length === 0 && <p>{t('historyNothing')}</p>}
      {shown.map(([title, scopes]) => (
        <div key={title}>
          <strong>{t(title as keyof typeof parts)}</strong>
          <ScopeList scopes={scopes} />
        </div>
      ))}
    </li>
  );
}
