import { BellOff, BellRing, Clock, Sunrise } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Mute } from '../../api/types.ts';
import { MenuItem } from '../../design/menu.tsx';
import { tell } from '../../design/toast.tsx';
import { inAnHour, mute, tomorrow, unmute } from '../state/mutes.ts';

/** The items of a menu that mute a place for a time or without an end, or unmute it. */
export function MuteItems(props: {
  place: Pick<Mute, 'kind' | 'id'>;
  muted: boolean;
  run: (work: () => Promise<unknown>) => unknown;
}) {
  const { place, muted, run } = props;
  const t = useTranslations('members.mute');
  const untilText = useUntil();
  const set = (until: number | null) =>
    run(async () => {
      await mute(place, until);
      tell(untilText(until), { label: t('undo'), run: () => void run(() => unmute(place)) });
    });
  if (muted)
    return (
      <MenuItem icon={<BellRing size={16} aria-hidden />} onSelect={() => run(() => unmute(place))}>
        {t(`unmute.${place.kind}`)}
      </MenuItem>
    );
  return (
    <>
      <MenuItem icon={<Clock size={16} aria-hidden />} onSelect={() => set(inAnHour())}>
        {t('hour')}
      </MenuItem>
      <MenuItem icon={<Sunrise size={16} aria-hidden />} onSelect={() => set(tomorrow())}>
        {t('tomorrow')}
      </MenuItem>
      <MenuItem icon={<BellOff size={16} aria-hidden />} onSelect={() => set(null)}>
        {t(`mute.${place.kind}`)}
      </MenuItem>
    </>
  );
}

/** @returns what says until when a place is muted */
export function useUntil(): (until: number | null | undefined) => string {
  const t = useTranslations('members.mute');
  const format = useFormatter();
  return (until) => {
    if (typeof until !== 'number') return t('muted');
    const date = new Date(until * 1000);
    const isToday = date.toDateString() === new Date().toDateString();
    const day = isToday ? {} : ({ weekday: 'short' } as const);
    return t('mutedUntil', { time: format.dateTime(date, { ...day, hour: 'numeric', minute: 'numeric' }) });
  };
}
