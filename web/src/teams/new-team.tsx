import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { callOne } from '../api/client.ts';
import type { Team } from '../api/types.ts';
import { ButtonLink } from '../design/button.tsx';
import { Form } from '../design/form.tsx';
import { Card, PageBody } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { FIRST_COLOR, LookFields, lookOf } from './look.tsx';
import { refreshMemberships } from './queries.ts';

export function NewTeam() {
  const t = useTranslations('teams.create');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const make = async (values: Record<string, string>) => {
    const team = await callOne<Team>('/v1/teams', { method: 'POST', body: lookOf(values) });
    await refreshMemberships();
    return team;
  };
  const onDone = ({ id }: Team) => {
    tell(t('done'));
    void navigate({ to: '/teams/$team', params: { team: id } });
  };
  return (
    <PageBody title={t('title')} lead={t('lead')}>
      <Card>
        <Form
          send={make}
          onDone={onDone}
          submit={t('submit')}
          actions={<ButtonLink to="/inbox">{common('cancel')}</ButtonLink>}
        >
          {({ errorOf }) => (
            <LookFields
              start={{ name: '', color: FIRST_COLOR, icon: '', description: '' }}
              errorOf={errorOf}
            />
          )}
        </Form>
      </Card>
    </PageBody>
  );
}
