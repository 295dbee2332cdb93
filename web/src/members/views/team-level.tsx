import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Settings } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { changePushSettings, pushSettingsQuery } from '../../api/push-settings.ts';
import { MenuChoices, MenuItem, MenuSeparator } from '../../design/menu.tsx';

const LEVELS = ['all', 'mentions', 'nothing'] as const;

/** The items of a team's menu that choose of what in it the reader is notified. */
export function TeamLevel(props: { team: string; run: (work: () => Promise<unknown>) => unknown }) {
  const { team, run } = props;
  const t = useTranslations('members.mute');
  const { data: settings } = useQuery(pushSettingsQuery);
  const level = settings?.teams.find((one) => one.team === team)?.level ?? settings?.team_default;
  return (
    <>
      <MenuChoices
        label={t('level.title')}
        chosen={level}
        onChoose={(level: (typeof LEVELS)[number]) =>
          run(() => changePushSettings({ teams: [{ team, level }] }))
        }
        choices={LEVELS.map((value) => ({ value, label: t(`level.${value}`) }))}
      />
      <MenuItem icon={<Settings size={16} aria-hidden />} link={<Link to="/settings/notifications" />}>
        {t('settings')}
      </MenuItem>
      <MenuSeparator />
    </>
  );
}
