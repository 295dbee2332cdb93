import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { serverQuery } from '../api/queries.ts';
import type { SessionUser } from '../api/types.ts';
import { Switch } from '../design/field.tsx';
import { Notice } from '../design/notice.tsx';
import { Card } from '../design/page.tsx';
import { useFailureText } from '../text/failure.ts';
import { PushCard } from './push-card.tsx';
import { PushChoices } from './push-choices.tsx';
import { changeMe, useMe } from './queries.ts';
import { SettingsPage } from './settings-page.tsx';

/** Of shifts only applications could tell, and none can mail. */
type Pref = Exclude<Extract<keyof SessionUser['prefs'], `email_${string}`>, 'email_on_shift_update'>;

const MESSAGES = [
  'email_on_direct_message',
  'email_on_team_message',
  'email_on_at_mention',
  'email_on_reply_to_your_message',
  'email_on_reply_to_your_direct_message',
  'email_on_reply_to_message_you_replied_to',
  'email_on_sidebar_message',
] as const satisfies readonly Pref[];
const TEAMS = [
  'email_on_team_invite',
  'email_on_team_removed',
  'email_on_team_role_changed',
] as const satisfies readonly Pref[];

/** Settings of notifications and mails; each choice is saved at once. */
export function NotificationSettings() {
  const t = useTranslations('account.mails');
  const me = useMe();
  const { data: server } = useSuspenseQuery(serverQuery);
  return (
    <SettingsPage tab="notifications">
      <PushCard />
      <PushChoices />
      {!server.mail && <Notice>{t('none')}</Notice>}
      <p>
        {t('lead')} {t('address', { email: me.primary_email.address })}
      </p>
      <Card title={t('messages')} lead={t('about')}>
        {MESSAGES.map((pref) => (
          <PrefSwitch
            key={pref}
            pref={pref}
            {...(pref === 'email_on_at_mention' && {
              hint: t('email_on_at_mentionHint', { username: me.username }),
            })}
          />
        ))}
      </Card>
      <Card title={t('membership')} lead={t('about')}>
        {TEAMS.map((pref) => (
          <PrefSwitch key={pref} pref={pref} />
        ))}
      </Card>
      <p>{t('always')}</p>
    </SettingsPage>
  );
}

function PrefSwitch({ pref, hint }: { pref: Pref; hint?: string }) {
  const t = useTranslations('account.mails');
  const failure = useFailureText();
  const me = useMe();
  const save = useMutation({
    mutationFn: (on: boolean) => changeMe({ prefs: { [pref]: on } }),
    // Requests of two quick changes are answered in order.
    scope: { id: 'prefs' },
  });
  return (
    <div>
      <Switch
        label={t(pref)}
        {...(hint !== undefined && { hint })}
        // While it is being saved it shows the new value; after a failure, the saved one.
        checked={save.isPending ? save.variables : me.prefs[pref]}
        onChange={(on) => save.mutate(on)}
      />
      {save.error && <Notice kind="danger">{failure(save.error)}</Notice>}
    </div>
  );
}
