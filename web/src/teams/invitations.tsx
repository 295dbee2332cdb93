import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { call } from '../api/client.ts';
import { ADMIN, type Invitation } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/dialog.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Badge } from '../design/page.tsx';
import { tell } from '../design/toast.tsx';
import { invitationsQuery } from './queries.ts';
import styles from './teams.module.css';

/** The pending invitations; nothing without any. */
export function OpenInvitations({ team }: { team: string }) {
  const t = useTranslations('teams.invitations');
  const query = useQuery(invitationsQuery(team));
  const [withdrawn, setWithdrawn] = useState<Invitation>();
  if (!query.data?.length && !withdrawn) return null;
  const act = async () => {
    await call(`/v1/teams/${team}/invitations/${withdrawn?.id}`, { method: 'DELETE' });
    tell(t('withdrawn', { email: withdrawn?.email ?? '' }));
    await query.refetch();
  };
  return (
    <section className={styles.tight}>
      <h2>{t('title')}</h2>
      <p className={styles.soft}>{t('lead')}</p>
      {query.data && query.data.length > 0 && (
        <List label={t('title')}>
          {query.data.map((one) => (
            <InvitationRow key={one.id} invitation={one} withdraw={() => setWithdrawn(one)} />
          ))}
        </List>
      )}
      <Confirm
        open={withdrawn !== undefined}
        onClose={() => setWithdrawn(undefined)}
        title={t('withdrawTitle')}
        description={t('withdrawText', { email: withdrawn?.email ?? '' })}
        action={t('withdraw')}
        act={act}
      />
    </section>
  );
}

function InvitationRow({ invitation, withdraw }: { invitation: Invitation; withdraw: () => void }) {
  const t = useTranslations('teams');
  const format = useFormatter();
  const { email, expires_at, membership_type } = invitation;
  const date = format.dateTime(expires_at * 1000, { dateStyle: 'medium' });
  return (
    <ListRow
      icon={<Mail size={18} aria-hidden />}
      title={email}
      detail={t('invitations.expires', { date })}
      aside={<Badge>{t(membership_type === ADMIN ? 'admin' : 'member')}</Badge>}
      actions={
        <Button small onClick={withdraw} aria-label={t('invitations.withdrawFor', { email })}>
          {t('invitations.withdraw')}
        </Button>
      }
    />
  );
}
