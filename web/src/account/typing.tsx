import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Switch } from '../design/field.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { useFailureText } from '../text/failure.ts';
import { changeMe, useMe } from './queries.ts';

const CHOICES = ['send_typing', 'show_typing'] as const;

/** Whether others see that one types, and whether one sees it of them. */
export function TypingChoices() {
  const t = useTranslations('account.typing');
  return (
    <Card title={t('title')} lead={t('lead')}>
      {CHOICES.map((name) => (
        <Choice key={name} name={name} />
      ))}
    </Card>
  );
}

function Choice({ name }: { name: (typeof CHOICES)[number] }) {
  const t = useTranslations('account.typing');
  const failure = useFailureText();
  const me = useMe();
  const save = useMutation({
    mutationFn: (on: boolean) => changeMe({ prefs: { [name]: on } }),
    // Requests of two quick changes are answered in order.
    scope: { id: 'prefs' },
  });
  return (
    <div>
      <Switch
        label={t(name)}
        checked={save.isPending ? save.variables : me.prefs[name]}
        onChange={(on) => save.mutate(on)}
      />
      {save.error && <Notice kind="danger">{failure(save.error)}</Notice>}
    </div>
  );
}
