import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { callOne } from '../api/client.ts';
import { membershipsQuery, queryClient } from '../api/queries.ts';
import { ADMIN, type Membership, type SessionUser, type ShownInvitation } from '../api/types.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './entry.module.css';
import { addressForNewcomer } from './newcomer.ts';
import { SignedInAs } from './signed-in-as.tsx';

interface AcceptInvitationProps {
  readonly invitation: ShownInvitation;
  readonly token: string;
  readonly me: SessionUser;
}

/** For a signed-in user, who may not be the invited person. */
export function AcceptInvitation({ invitation, token, me }: AcceptInvitationProps) {
  const t = useTranslations('entry.invitation');
  const failure = useFailureText();
  const navigate = useNavigate();
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const { team, email } = invitation;
  const open = () => void navigate({ href: `/teams/${team.id}`, replace: true });
  const accept = useMutation({
    mutationFn: () => callOne<Membership>(`/v1/invitations/${encodeURIComponent(token)}`, { method: 'PUT' }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
      void navigate({ href: addressForNewcomer(team.id), replace: true });
    },
  });
  if (memberships.some((membership) => membership.team.id === team.id)) {
    return (
      <div className={styles.stack}>
        <Notice>{t('member')}</Notice>
        <Button look="primary" onClick={open}>
          {t('open')}
        </Button>
      </div>
    );
  }
  // Only an account with the invited address can become admin.
  const isBound = invitation.membership_type === ADMIN;
  const isOther = me.primary_email.address.toLowerCase() !== email.toLowerCase();
  return (
    <div className={styles.stack}>
      {isOther && <Notice kind="warning">{t(isBound ? 'bound' : 'other', { email })}</Notice>}
      {accept.error && <Notice kind="danger">{failure(accept.error)}</Notice>}
      {!(isOther && isBound) && (
        <Button look="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
          {t('join')}
        </Button>
      )}
      <SignedInAs me={me} back={`/invitations/${token}`} />
    </div>
  );
}
