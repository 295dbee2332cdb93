import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { EllipsisVertical, ShieldCheck, ShieldMinus, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { ApiError, call, callOne, refusal } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import { ADMIN, MEMBER, type Membership } from '../api/types.ts';
import { Avatar } from '../design/avatar.tsx';
import { IconButton } from '../design/button.tsx';
import { Confirm, Dialog } from '../design/dialog.tsx';
import { RowContent } from '../design/list.tsx';
import { Menu, MenuItem, MenuSeparator } from '../design/menu.tsx';
import { Notice } from '../design/notice.tsx';
import { Badge } from '../design/page.tsx';
import { nameOf, PersonLink } from '../design/person.tsx';
import { tell } from '../design/toast.tsx';
import { WhereaboutsSign } from '../design/whereabouts-sign.tsx';
import { useFailureText } from '../text/failure.ts';
import { refreshMembers, refreshMemberships } from './queries.ts';
import { administers } from './team-frame.tsx';

/** A member, and the actions that the reader has for them. */
export function MemberRow({ member, own }: { member: Membership; own: Membership }) {
  const t = useTranslations('teams');
  const common = useTranslations('common');
  const format = useFormatter();
  const { user } = member;
  const since = t('members.since', {
    date: format.dateTime(member.created_at * 1000, { dateStyle: 'medium' }),
  });
  const isSelf = member.userid === own.userid;
  return (
    <RowContent
      icon={<Avatar person={user} presence />}
      title={
        <>
          <PersonLink person={user} />
          <WhereaboutsSign person={user} />
          {isSelf && <Badge>{common('you')}</Badge>}
          {member.membership_type === ADMIN && <Badge kind="success">{t('admin')}</Badge>}
          {user.online && <span className="visually-hidden">{common('online')}</span>}
        </>
      }
      detail={[user.title, user.email, since].filter(Boolean).join(' · ')}
      actions={(isSelf || administers(own)) && <MemberMenu member={member} own={own} />}
    />
  );
}

function MemberMenu({ member, own }: { member: Membership; own: Membership }) {
  const t = useTranslations('teams.members');
  const [removing, setRemoving] = useState(false);
  const [error, setError] = useState<unknown>();
  const name = nameOf(member.user);
  const isSelf = member.userid === own.userid;
  const setRole = async (type: number) => {
    const path = `/v1/teams/${own.team.id}/users/${member.userid}`;
    try {
      await callOne<Membership>(path, { method: 'PATCH', body: { membership_type: type } });
    } catch (refused) {
      return setError(refused);
    }
    tell(t(type === ADMIN ? 'madeAdmin' : 'madeMember', { name }));
    await Promise.all([refreshMembers(own.team.id), isSelf && refreshMemberships()]);
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t('actions', { name })}>
            <EllipsisVertical size={18} aria-hidden />
          </IconButton>
        }
      >
        {administers(own) && member.membership_type === MEMBER && (
          <MenuItem icon={<ShieldCheck size={16} aria-hidden />} onSelect={() => void setRole(ADMIN)}>
            {t('makeAdmin')}
          </MenuItem>
        )}
        {administers(own) && member.membership_type === ADMIN && (
          <MenuItem icon={<ShieldMinus size={16} aria-hidden />} onSelect={() => void setRole(MEMBER)}>
            {t('makeMember')}
          </MenuItem>
        )}
        {administers(own) && <MenuSeparator />}
        <MenuItem danger icon={<UserMinus size={16} aria-hidden />} onSelect={() => setRemoving(true)}>
          {t(isSelf ? 'leave' : 'remove')}
        </MenuItem>
      </Menu>
      {isSelf ? (
        <LeaveDialog own={own} open={removing} onClose={() => setRemoving(false)} />
      ) : (
        <RemoveDialog member={member} own={own} open={removing} onClose={() => setRemoving(false)} />
      )}
      <Refused error={error} onClose={() => setError(undefined)} />
    </>
  );
}

interface Question {
  readonly own: Membership;
  readonly open: boolean;
  readonly onClose: () => void;
}

function RemoveDialog({ member, own, ...rest }: Question & { member: Membership }) {
  const t = useTranslations('teams.members');
  const name = nameOf(member.user);
  const act = async () => {
    await call(`/v1/teams/${own.team.id}/users/${member.userid}`, { method: 'DELETE' });
    tell(t('removed', { name }));
    await Promise.all([refreshMembers(own.team.id), refreshMemberships()]);
  };
  return (
    <Confirm
      {...rest}
      title={t('removeTitle', { name, team: own.team.name })}
      description={t('removeText', { name })}
      action={t('remove')}
      act={act}
    />
  );
}

/** Asks before leaving the team, then goes to the inbox. */
export function LeaveDialog({ own, ...rest }: Question) {
  const t = useTranslations('teams.members');
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const failure = useRefusal();
  const act = async () => {
    try {
      await call(`/v1/teams/${own.team.id}/users/${me?.id}`, { method: 'DELETE' });
    } catch (error) {
      throw failure(error);
    }
    tell(t('left', { team: own.team.name }));
    await navigate({ to: '/inbox' });
    await refreshMemberships();
  };
  return (
    <Confirm
      {...rest}
      title={t('leaveTitle', { team: own.team.name })}
      description={t('leaveText')}
      action={t('leave')}
      act={act}
    />
  );
}

/** Explains in the reader's language what the last admin has to do first. */
function useRefusal(): (error: unknown) => unknown {
  const t = useTranslations('teams.members');
  return (error) =>
    error instanceof ApiError && error.reason === 'last_admin'
      ? refusal(409, { code: error.code, message: t('lastAdmin') })
      : error;
}

/** For errors of actions without a form that could show them. */
function Refused({ error, onClose }: { error: unknown; onClose: () => void }) {
  const t = useTranslations('teams.members');
  const refusal = useRefusal();
  const text = useFailureText();
  return (
    <Dialog open={error !== undefined} onClose={onClose} title={t('refusedTitle')}>
      {error !== undefined && <Notice kind="danger">{text(refusal(error))}</Notice>}
    </Dialog>
  );
}
