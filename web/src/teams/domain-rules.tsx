import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Card } from '../design/page.tsx';
import { DomainRuleList } from './domain-rule-list.tsx';
import { teamDomainRulesPath, teamDomainRulesQuery } from './queries.ts';

/** For the admins of a team that people of some domain join by themselves. */
export function TeamDomainRules({ team }: { team: string }) {
  const t = useTranslations('teams.domainRules');
  const { data: rules = [], refetch } = useQuery(teamDomainRulesQuery(team));
  if (rules.length === 0) return null;
  return (
    <Card title={t('title')} lead={t('lead')}>
      <DomainRuleList rules={rules} path={teamDomainRulesPath(team)} refresh={refetch} />
    </Card>
  );
}
