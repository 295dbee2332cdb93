import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { call, callOne } from '../api/client.ts';
import { membershipsQuery, ownInvitationsQuery, queryClient } from '../api/queries.ts';
import { ADMIN, type Membership, type OwnInvitation } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Badge } from '../design/page.tsx';
import { nameOf } from '../design/person.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './joining.module.css';

/** The teams to which the reader is invited; nothing without any. */
export function OwnInvitations() {
  const t = useTranslations('shell.joining');
  const { data: invitations = [] } = useQuery(ownInvitationsQuery);
  if (invitations.length === 0) return null;
  return (
    <div className={styles.part}>
      <List label={t('invitations')}>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </List>
    </div>
  );
}

function InvitationRow({ invitation }: { invitation: OwnInvitation }) {
  const t = useTranslations('shell.joining');
  const teams = useTranslations('common');
  const failure = useFailureText();
  const navigate = useNavigate();
  const { id, team, inviter, membership_type } = invitation;
  const path = `/v1/users/me/invitations/${id}`;
  const refresh = () => queryClient.invalidateQueries({ queryKey: ownInvitationsQuery.queryKey });
  const onError = (error: unknown) => {
    tell(failure(error));
    void refresh();
  };
  const join = useMutation({
    mutationFn: () => callOne<Membership>(path, { method: 'PUT' }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
      await navigate({ to: '/teams/$team', params: { team: team.id }, search: { hello: 'new' } });
      await refresh();
    },
    onError,
  });
  const decline = useMutation({
    mutationFn: () => call(path, { method: 'DELETE' }),
    onSuccess: async () => {
      tell(t('declined', { team: team.name }));
      await refresh();
    },
    onError,
  });
  return (
    <ListRow
      icon={<TeamIcon team={team} />}
      title={<bdi>{team.name}</bdi>}
      detail={t('invitedBy', { name: nameOf(inviter) })}
      aside={membership_type === ADMIN && <Badge>{teams('admin')}</Badge>}
      actions={
        <>
          <Button
            small
            busy={decline.isPending}
            onClick={() => decline.mutate()}
            aria-label={t('declineTeam', { team: team.name })}
          >
            {t('decline')}
          </Button>
          <Button
            small
            look="primary"
            busy={join.isPending}
            onClick={() => join.mutate()}
            aria-label={t('joinTeam', { team: team.name })}
          >
            {t('join')}
          </Button>
        </>
      }
    >
      {team.description !== '' && <p dir="auto">{team.description}</p>}
    </ListRow>
  );
}
