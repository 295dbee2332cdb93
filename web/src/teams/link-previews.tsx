import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { callOne } from '../api/client.ts';
import { serverQuery } from '../api/queries.ts';
import type { Membership, Team } from '../api/types.ts';
import { Select } from '../design/field.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { useFailureText } from '../text/failure.ts';
import { refreshMemberships } from './queries.ts';

const CHOICES = ['off', 'people', 'all'] as const satisfies readonly Team['link_previews'][];

/** Whose links the server looks at for previews; not shown where it looks at none. */
export function LinkPreviews({ own }: { own: Membership }) {
  const t = useTranslations('teams.previews');
  const text = useFailureText();
  const { data: server } = useSuspenseQuery(serverQuery);
  const change = useMutation({
    mutationFn: (link_previews: Team['link_previews']) =>
      callOne<Team>(`/v1/teams/${own.team.id}`, { method: 'PATCH', body: { link_previews } }),
    onSuccess: refreshMemberships,
  });
  if (!server.link_previews) return null;
  return (
    <Card title={t('title')} lead={t('lead')}>
      <Select
        label={t('which')}
        value={change.isPending ? change.variables : own.team.link_previews}
        onChange={({ target }) => change.mutate(target.value as Team['link_previews'])}
      >
        {CHOICES.map((choice) => (
          <option key={choice} value={choice}>
            {t(choice)}
          </option>
        ))}
      </Select>
      {change.error && <Notice kind="danger">{text(change.error)}</Notice>}
    </Card>
  );
}
