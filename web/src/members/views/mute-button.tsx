import { useMutation } from '@tanstack/react-query';
import { Bell, BellOff } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Mute } from '../../api/types.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { Menu } from '../../design/menu.tsx';
import { tell } from '../../design/toast.tsx';
import { useFailureText } from '../../text/failure.ts';
import { MuteItems, useUntil } from '../message/mute-items.tsx';
import { useMute } from '../state/mutes.ts';
import { TeamLevel } from './team-level.tsx';

/** Says until when a team or a direct conversation is muted, and opens the menu that changes it. */
export function MuteButton({ place, muted }: { place: Pick<Mute, 'kind' | 'id'>; muted?: boolean }) {
  const t = useTranslations('members.mute');
  const failure = useFailureText();
  const untilText = useUntil();
  const known = useMute(place);
  const isMuted = muted ?? known !== undefined;
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => tell(failure(error)),
  });
  return (
    <Menu
      trigger={
        isMuted ? (
          <Button small look="quiet">
            <BellOff size={16} aria-hidden />
            {untilText(known?.until)}
          </Button>
        ) : (
          <IconButton small label={t('label')}>
            <Bell size={16} aria-hidden />
          </IconButton>
        )
      }
    >
      {place.kind === 'team' && <TeamLevel team={place.id} run={change.mutate} />}
      <MuteItems place={place} muted={isMuted} run={change.mutate} />
    </Menu>
  );
}
