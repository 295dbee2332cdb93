import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { serverQuery } from '../api/queries.ts';
import type { SessionUser } from '../api/types.ts';
import { Switch } from '../design/field.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { useFailureText } from '../text/failure.ts';
import { changeMe, useMe } from './queries.ts';

type LinkPreviews = SessionUser['link_previews'];
const CHOICES = ['shown', 'in_direct'] as const satisfies readonly (keyof LinkPreviews)[];

/** Whether the reader sees previews of links, and gives some where they write in private. */
export function LinkPreviewChoices() {
  const t = useTranslations('account.previews');
  const { data: server } = useSuspenseQuery(serverQuery);
  const choices = server.link_previews ? CHOICES : CHOICES.slice(0, 1);
  return (
    <Card title={t('title')} lead={t('lead')}>
      {choices.map((name) => (
        <Choice key={name} name={name} />
      ))}
    </Card>
  );
}

function Choice({ name }: { name: keyof LinkPreviews }) {
  const t = useTranslations('account.previews');
  const failure = useFailureText();
  const me = useMe();
  const save = useMutation({
    mutationFn: (on: boolean) => changeMe({ link_previews: { [name]: on } }),
    // Requests of two quick changes are answered in order.
    scope: { id: 'prefs' },
  });
  return (
    <div>
      <Switch
        label={t(name)}
        hint={t(`${name}Hint`)}
        checked={save.isPending ? save.variables : me.link_previews[name]}
        onChange={(on) => save.mutate(on)}
      />
      {save.error && <Notice kind="danger">{failure(save.error)}</Notice>}
    </div>
  );
}
