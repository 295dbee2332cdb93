import { AtSign } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import type { DomainRule } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/dialog.tsx';
import { List, ListRow } from '../design/list.tsx';
import { tell } from '../design/toast.tsx';

/** Domains whose people are let in, each with a button that ends its rule. */
export function DomainRuleList(props: {
  rules: readonly DomainRule[];
  /** Below which the rules are ended. */
  path: string;
  refresh: () => Promise<unknown>;
}) {
  const { rules, path, refresh } = props;
  const t = useTranslations('teams.domainRules');
  const [ended, setEnded] = useState<DomainRule>();
  const end = async () => {
    await call(`${path}/${ended?.id}`, { method: 'DELETE' });
    tell(t('ended'));
    await refresh();
  };
  return (
    <>
      {rules.length > 0 && (
        <List label={t('title')}>
          {rules.map((rule) => (
            <ListRow
              key={rule.id}
              icon={<AtSign size={18} aria-hidden />}
              title={<bdi>{rule.domain}</bdi>}
              detail={t('joins', { team: rule.team.name })}
              actions={
                <Button
                  small
                  onClick={() => setEnded(rule)}
                  aria-label={t('endFor', { domain: rule.domain, team: rule.team.name })}
                >
                  {t('end')}
                </Button>
              }
            />
          ))}
        </List>
      )}
      <Confirm
        open={ended !== undefined}
        onClose={() => setEnded(undefined)}
        title={t('endTitle', { domain: ended?.domain ?? '' })}
        description={t('endText')}
        action={t('end')}
        act={end}
      />
    </>
  );
}
