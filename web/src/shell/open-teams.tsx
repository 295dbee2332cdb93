import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ApiError, callOne } from '../api/client.ts';
import { membershipsQuery, openTeamsQuery, queryClient } from '../api/queries.ts';
import type { Membership, OpenTeam } from '../api/types.ts';
import { TeamIcon } from '../design/avatar.tsx';
import { Button } from '../design/button.tsx';
import { List, ListRow } from '../design/list.tsx';
import { Badge } from '../design/page.tsx';
import { Failure } from '../design/states.tsx';
import { Time } from '../design/time.tsx';
import { tell } from '../design/toast.tsx';
import { useFailureText } from '../text/failure.ts';
import styles from './joining.module.css';

/** The teams that everybody on the server can join. */
export function OpenTeams() {
  const t = useTranslations('shell.joining');
  const query = useInfiniteQuery(openTeamsQuery);
  const { error } = query;
  const isUnproved = error instanceof ApiError && error.reason === 'unconfirmed_address';
  const teams = query.data?.pages.flatMap(({ data }) => data);
  return (
    <section className={styles.part}>
      <h2>{t('open')}</h2>
      <p className={styles.soft}>
        {t(isUnproved ? 'confirm' : teams?.length === 0 ? 'openNone' : 'openLead')}
      </p>
      {error && !isUnproved && <Failure error={error} retry={() => void query.refetch()} />}
      {teams && teams.length > 0 && (
        <List label={t('open')}>
          {teams.map((team) => (
            <OpenTeamRow key={team.id} team={team} />
          ))}
        </List>
      )}
      {query.hasNextPage && (
        <div>
          <Button small busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('openMore')}
          </Button>
        </div>
      )}
    </section>
  );
}

function OpenTeamRow({ team }: { team: OpenTeam }) {
  const t = useTranslations('shell.joining');
  const failure = useFailureText();
  const navigate = useNavigate();
  const refresh = () => queryClient.invalidateQueries({ queryKey: openTeamsQuery.queryKey });
  const join = useMutation({
    mutationFn: () => callOne<Membership>(`/v1/teams/${team.id}/users/me`, { method: 'PUT' }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
      await navigate({ to: '/teams/$team', params: { team: team.id }, search: { hello: 'new' } });
      await refresh();
    },
    onError: (error) => {
      tell(failure(error));
      void refresh();
    },
  });
  return (
    <ListRow
      icon={<TeamIcon team={team} />}
      title={
        team.is_member ? (
          <Link to="/teams/$team" params={{ team: team.id }}>
            <bdi>{team.name}</bdi>
          </Link>
        ) : (
          <bdi>{team.name}</bdi>
        )
      }
      detail={
        <>
          {t('members', { count: team.num_members })}
          {' · '}
          {team.last_message_at === null
            ? t('quiet')
            : t.rich('lastSaid', { time: () => <Time at={team.last_message_at as number} /> })}
        </>
      }
      aside={team.is_member && <Badge>{t('joined')}</Badge>}
      actions={
        !team.is_member && (
          <Button
            small
            busy={join.isPending}
            onClick={() => join.mutate()}
            aria-label={t('joinTeam', { team: team.name })}
          >
            {t('join')}
          </Button>
        )
      }
    >
      {team.description !== '' && <p dir="auto">{team.description}</p>}
    </ListRow>
  );
}
