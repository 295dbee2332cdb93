import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { UserPlus, Users } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { byName } from '../api/collation.ts';
import { hasWords } from '../api/matching.ts';
import { ADMIN, MEMBER, type Membership } from '../api/types.ts';
import { Button, ButtonLink } from '../design/button.tsx';
import { AddressField, Select } from '../design/field.tsx';
import { nameOf } from '../design/person.tsx';
import { Empty, Failure, Loading } from '../design/states.tsx';
import { VirtualList } from '../design/virtual-list.tsx';
import { OpenInvitations } from './invitations.tsx';
import { InviteDialog } from './invite.tsx';
import { MemberRow } from './member-row.tsx';
import { membersQuery } from './queries.ts';
import { administers, TeamFrame } from './team-frame.tsx';
import styles from './teams.module.css';

export function Members() {
  const t = useTranslations('teams.invite');
  const { team } = useParams({ from: '/signed-in/teams/$team/members' });
  const { invite: asked } = useSearch({ from: '/signed-in/teams/$team/members' });
  const navigate = useNavigate({ from: '/teams/$team/members' });
  const ask = () => void navigate({ search: (before) => ({ ...before, invite: 'yes' }) });
  const close = () => void navigate({ search: ({ invite: _, ...rest }) => rest, replace: true });
  const invite = (membership: Membership) =>
    administers(membership) && (
      <Button look="primary" small onClick={ask}>
        <UserPlus size={18} aria-hidden />
        {t('title')}
      </Button>
    );
  return (
    <TeamFrame team={team} part="members" actions={invite}>
      {(own) => (
        <>
          {administers(own) && <OpenInvitations team={team} />}
          <MemberList own={own} />
          <InviteDialog open={asked !== undefined && administers(own)} onClose={close} team={team} />
        </>
      )}
    </TeamFrame>
  );
}

const ROLES = { admin: ADMIN, member: MEMBER } as const;

function MemberList({ own }: { own: Membership }) {
  const t = useTranslations('teams.members');
  const { q = '', role } = useSearch({ from: '/signed-in/teams/$team/members' });
  const { query, found, searched } = useMembers(own, q, role);
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  const complete = !query.hasNextPage;
  const filtered = q !== '' || role !== undefined;
  return (
    <>
      <SearchFields />
      <p role="status" className={filtered && !complete ? styles.soft : 'visually-hidden'}>
        {filtered && !complete && t('searching', { searched, count: own.team.num_members })}
      </p>
      {query.isPending && <Loading />}
      {found.length > 0 && (
        <VirtualList
          label={t('list')}
          items={found}
          count={filtered ? found.length : Math.max(own.team.num_members, found.length)}
          keyOf={({ userid }) => userid}
          row={(member) => <MemberRow member={member} own={own} />}
          onEnd={() => void (query.hasNextPage && query.fetchNextPage())}
        />
      )}
      {query.data && found.length === 0 && complete && (
        <Empty icon={Users} title={t('none', { query: q })}>
          <p>{t('noneHint')}</p>
          <ButtonLink from="/teams/$team/members" to="/teams/$team/members" search={{}}>
            {t('clear')}
          </ButtonLink>
        </Empty>
      )}
    </>
  );
}

/** The members that fit. The server finds none by name, so a search reads one page after the other. */
function useMembers(own: Membership, q: string, role: string | undefined) {
  const query = useInfiniteQuery(membersQuery(own.team.id));
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const searching = q !== '' || role !== undefined;
  useEffect(() => {
    // A failure is shown with a button: immediate retries would add load to a busy server.
    if (searching && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [searching, hasNextPage, isFetching, isError, fetchNextPage]);
  const members = useMemo(() => {
    const all = query.data?.pages.flatMap(({ data }) => data) ?? [];
    // In a team that is read in pages, rows must not move.
    return query.data?.pages.length === 1 && !hasNextPage ? all.toSorted(byRoleAndName) : all;
  }, [query.data, hasNextPage]);
  const wanted = ROLES[role as keyof typeof ROLES];
  const found = members.filter(
    (member) => (wanted === undefined || member.membership_type === wanted) && fits(member, q),
  );
  return { query, found, searched: members.length };
}

const byRoleAndName = (one: Membership, other: Membership) =>
  one.membership_type - other.membership_type || byName(nameOf(one.user), nameOf(other.user));

const fits = ({ user }: Membership, query: string) =>
  hasWords(`${nameOf(user)} ${user.email} ${user.title}`, query);

function SearchFields() {
  const t = useTranslations('teams');
  const { q = '', role = '' } = useSearch({ from: '/signed-in/teams/$team/members' });
  const navigate = useNavigate({ from: '/teams/$team/members' });
  const change = (part: { q?: string; role?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  return (
    <search className={styles.search}>
      <AddressField
        label={t('members.search')}
        type="search"
        required
        value={q}
        onChange={(event) => change({ q: event.target.value })}
      />
      <Select
        label={t('members.role')}
        value={role}
        onChange={(event) => change({ role: event.target.value })}
      >
        <option value="">{t('members.anyRole')}</option>
        <option value="admin">{t('admin')}</option>
        <option value="member">{t('member')}</option>
      </Select>
    </search>
  );
}
