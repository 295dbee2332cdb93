import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { callOne } from '../api/client.ts';
import { membershipsQuery, serverQuery } from '../api/queries.ts';
import { ADMIN, type DomainRule } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Select, TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { Card } from '../design/page.tsx';
import { Loaded } from '../design/states.tsx';
import { DomainRuleList } from '../teams/domain-rule-list.tsx';
import styles from './administration.module.css';
import { domainRulesQuery } from './queries.ts';

/** The domains whose people are let in. */
export function DomainRules() {
  const t = useTranslations('administration.domainRules');
  const { data: server } = useQuery(serverQuery);
  const query = useQuery(domainRulesQuery);
  const [making, setMaking] = useState(false);
  const onMade = () => {
    setMaking(false);
    void query.refetch();
  };
  return (
    <Card title={t('title')} lead={t(server?.mail === false ? 'noMail' : 'lead')}>
      <div className={styles.stack}>
        <Loaded query={query} rows={1}>
          {(rules) => <DomainRuleList rules={rules} path="/v1/admin/domain_rules" refresh={query.refetch} />}
        </Loaded>
        <div className={styles.actions}>
          <Button onClick={() => setMaking(true)} disabled={server?.mail === false}>
            {t('make')}
          </Button>
        </div>
      </div>
      <Dialog open={making} onClose={() => setMaking(false)} title={t('make')} description={t('makeLead')}>
        <DomainRuleForm onDone={onMade} />
      </Dialog>
    </Card>
  );
}

function DomainRuleForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('administration.domainRules');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const administered = memberships.filter(({ membership_type }) => membership_type === ADMIN);
  const send = (body: Record<string, string>) =>
    callOne<DomainRule>('/v1/admin/domain_rules', { method: 'POST', body });
  return (
    <Form send={send} onDone={onDone} submit={t('submit')}>
      {({ errorOf }) => (
        <>
          <TextField
            label={t('domain')}
            hint={t('domainHint')}
            name="domain"
            required
            maxLength={253}
            placeholder="example.org"
            dir="ltr"
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            error={errorOf('domain')}
          />
          <Select label={t('team')} hint={t('teamHint')} name="team" required error={errorOf('team')}>
            {administered.map(({ team }) => (
              <option key={team.id} value={team.id}>
                {team.name}
              </option>
            ))}
          </Select>
        </>
      )}
    </Form>
  );
}
