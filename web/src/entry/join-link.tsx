import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { ApiError, callOne } from '../api/client.ts';
import { membershipsQuery, meQuery, queryClient, serverQuery } from '../api/queries.ts';
import { ADMIN, type Membership, type SessionUser, type ShownJoinLink } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { Button, ButtonLink } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { Loaded } from '../design/states.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './entry.module.css';
import { EntryCard } from './entry-frame.tsx';
import { GoneLink } from './gone-link.tsx';
import { addressForNewcomer } from './newcomer.ts';
import { joinLinkQuery } from './queries.ts';
import { SignUpForm } from './sign-up-form.tsx';
import { SignedInAs } from './signed-in-as.tsx';

interface JoinProps {
  readonly link: ShownJoinLink;
  readonly token: string;
}

/** The page that a join link leads to, with and without a session. Opening it joins nobody. */
export function Join() {
  const { token } = useParams({ from: '/entry/join/$token' });
  const { data: me, ...meState } = useQuery(meQuery);
  const query = useQuery(joinLinkQuery(token));
  if (query.error instanceof ApiError && query.error.status === 404) return <GoneLink of="joinLink" />;
  return (
    <Loaded query={meState.isPending ? { ...query, data: undefined } : query}>
      {(link) => (
        <JoinCard link={link}>
          {me ? (
            <JoinSignedIn link={link} token={token} me={me} />
          ) : (
            <JoinSignedOut link={link} token={token} />
          )}
        </JoinCard>
      )}
    </Loaded>
  );
}

function JoinCard({ link, children }: { link: ShownJoinLink; children: React.ReactNode }) {
  const t = useTranslations('entry');
  const format = useFormatter();
  const { team, num_members, membership_type, domains, expires_at } = link;
  return (
    <EntryCard
      title={t('invitation.title', { team: team.name })}
      icon={<TeamIcon team={team} size="large" />}
      lead={team.description}
    >
      <div className={styles.soft}>
        <p>{t('joinLink.people', { count: num_members })}</p>
        <p>{t('invitation.role', { role: membership_type === ADMIN ? 'admin' : 'member' })}</p>
        {domains.length > 0 && <p>{t('joinLink.domains', { domains: format.list(domains) })}</p>}
        {expires_at !== null && (
          <p>{t('joinLink.until', { date: format.dateTime(expires_at * 1000, { dateStyle: 'long' }) })}</p>
        )}
      </div>
      {children}
    </EntryCard>
  );
}

function JoinSignedIn({ link, token, me }: JoinProps & { me: SessionUser }) {
  const t = useTranslations('entry');
  const failure = useFailureText();
  const navigate = useNavigate();
  const { data: memberships = [] } = useQuery({ ...membershipsQuery, refetchOnWindowFocus: 'always' });
  const { team, domains } = link;
  const { address, verified } = me.primary_email;
  const open = () => void navigate({ href: `/teams/${team.id}`, replace: true });
  const join = useMutation({
    mutationFn: () => callOne<Membership>(`/v1/join_links/${encodeURIComponent(token)}`, { method: 'PUT' }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
      void navigate({ href: addressForNewcomer(team.id), replace: true });
    },
  });
  if (memberships.some((membership) => membership.team.id === team.id)) {
    return (
      <div className={styles.stack}>
        <Notice>{t('invitation.member')}</Notice>
        <Button look="primary" onClick={open}>
          {t('invitation.open')}
        </Button>
      </div>
    );
  }
  const mustConfirm = domains.length > 0 && !verified;
  return (
    <div className={styles.stack}>
      {mustConfirm && <Notice kind="warning">{t('joinLink.confirm', { email: address })}</Notice>}
      {join.error && <Notice kind="danger">{failure(join.error)}</Notice>}
      {!mustConfirm && (
        <Button look="primary" busy={join.isPending} onClick={() => join.mutate()}>
          {t('invitation.join')}
        </Button>
      )}
      <SignedInAs me={me} back={`/join/${token}`} />
    </div>
  );
}

function JoinSignedOut({ link, token }: JoinProps) {
  const t = useTranslations('entry');
  const navigate = useNavigate();
  const { data: server } = useSuspenseQuery(serverQuery);
  const { team, domains } = link;
  const here = `/join/${token}`;
  const signIn = (
    <ButtonLink
      look={server.registration === 'closed' ? 'primary' : 'quiet'}
      to="/sign-in"
      search={{ next: here }}
    >
      {t('invitation.signInAndJoin')}
    </ButtonLink>
  );
  if (server.registration === 'closed') {
    return (
      <div className={styles.stack}>
        <Notice>{t('signUp.closed')}</Notice>
        {signIn}
      </div>
    );
  }
  // Where the address has to be confirmed first, the page says so.
  const next = domains.length > 0 ? here : addressForNewcomer(team.id);
  return (
    <>
      <SignUpForm
        submit={t('invitation.signUpAndJoin')}
        joinLink={token}
        onDone={() => void navigate({ href: next, replace: true })}
      />
      <div className={styles.foot}>
        {t('invitation.haveAccount')}
        {signIn}
      </div>
    </>
  );
}
