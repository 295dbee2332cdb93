import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../api/queries.ts';
import { ADMIN } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { Menu, MenuItem } from '../design/menu.tsx';
import { InviteDialog } from '../teams/invite.tsx';

/** Invites people. An invitation is one to a team, by an admin of it. */
export function InviteMenu() {
  const t = useTranslations('administration.users');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const [team, setTeam] = useState<string>();
  const administered = memberships.filter(({ membership_type }) => membership_type === ADMIN);
  return (
    <>
      <Menu
        trigger={
          <Button look="primary">
            <UserPlus size={16} aria-hidden />
            {t('invite')}
          </Button>
        }
      >
        {administered.map((membership) => (
          <MenuItem
            key={membership.team.id}
            icon={<TeamIcon team={membership.team} />}
            onSelect={() => setTeam(membership.team.id)}
          >
            {t('inviteTo', { team: membership.team.name })}
          </MenuItem>
        ))}
        <MenuItem icon={<Plus size={16} aria-hidden />} link={<Link to="/teams/new" />}>
          {t('inviteNew')}
        </MenuItem>
      </Menu>
      <InviteDialog open={team !== undefined} onClose={() => setTeam(undefined)} team={team ?? ''} />
    </>
  );
}
