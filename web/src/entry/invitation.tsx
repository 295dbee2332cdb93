import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { ApiError } from '../api/client.ts';
import { meQuery } from '../api/queries.ts';
import { ADMIN, type ShownInvitation } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { nameOf } from '../design/person.tsx';
import { Loaded } from '../design/states.tsx';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';
import { GoneLink } from './gone-link.tsx';
import { AcceptInvitation } from './invitation-accept.tsx';
import { JoinSignedOut } from './invitation-join.tsx';
import { invitationQuery } from './queries.ts';

/** The page that an invitation links to, with and without a session. */
export function Invitation() {
  const { token } = useParams({ from: '/entry/invitations/$token' });
  const { data: me, ...meState } = useQuery(meQuery);
  const query = useQuery(invitationQuery(token));
  if (query.error instanceof ApiError && query.error.status === 404) return <GoneLink of="invitation" />;
  // A background refetch of the used invitation must not replace the page after joining.
  return (
    <Loaded query={meState.isPending ? { ...query, data: undefined } : query}>
      {(invitation) => (
        <InvitationCard invitation={invitation}>
          {me ? (
            <AcceptInvitation invitation={invitation} token={token} me={me} />
          ) : (
            <JoinSignedOut invitation={invitation} token={token} />
          )}
        </InvitationCard>
      )}
    </Loaded>
  );
}

function InvitationCard({
  invitation,
  children,
}: {
  invitation: ShownInvitation;
  children: React.ReactNode;
}) {
  const t = useTranslations('entry.invitation');
  const format = useFormatter();
  const { team, inviter, membership_type, expires_at } = invitation;
  const until = format.dateTime(new Date(expires_at * 1000), { dateStyle: 'long' });
  const from = inviter ? t('from', { name: nameOf(inviter) }) : t('fromNobody');
  return (
    <EntryCard
      title={t('title', { team: team.name })}
      icon={<TeamIcon team={team} size="large" />}
      lead={from}
    >
      <div className={styles.soft}>
        <p>{t('role', { role: membership_type === ADMIN ? 'admin' : 'member' })}</p>
        <p>{t('until', { date: until })}</p>
      </div>
      {children}
    </EntryCard>
  );
}
