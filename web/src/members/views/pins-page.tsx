import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Pin } from 'lucide-react';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { membershipsQuery } from '../../api/queries.ts';
import type { Membership, Team } from '../../api/types.ts';
import { useTitle } from '../../design/page.tsx';
import { nameOf } from '../../design/person.tsx';
import { Loaded } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { NotOwnTeam, TeamHead, useLiveTeam } from '../../teams/team-frame.tsx';
import { type Kept, pinsQuery } from '../state/saved.ts';
import { KeptList } from './kept-list.tsx';
import { MessagesFrame } from './messages-frame.tsx';
import type { Mover } from './mover.ts';

/** The pins of a team. */
export function Pins() {
  const { team: id } = useParams({ from: '/signed-in/teams/$team/pins' });
  const memberships = useQuery(membershipsQuery);
  useLiveTeam(id);
  return (
    <Loaded query={memberships}>
      {(all: Membership[]) => {
        const team = all.find((one) => one.team.id === id)?.team;
        return team ? <OfTeam key={id} team={team} /> : <NotOwnTeam />;
      }}
    </Loaded>
  );
}

function OfTeam({ team }: { team: Team }) {
  const t = useTranslations('members.pins');
  const { open } = useSearch({ from: '/signed-in/teams/$team/pins' });
  const mover = useRef<Mover>(null);
  useTitle(`${t('title')} · ${team.name}`);
  return (
    <MessagesFrame openId={open} mover={mover}>
      <TeamHead team={team} />
      <KeptList
        query={pinsQuery(team.id)}
        flag="pinned"
        label={t('list')}
        openId={open}
        mover={mover}
        empty={{ icon: Pin, title: t('emptyTitle'), text: t('emptyText') }}
        takes={({ addressed_teams = [] }) => addressed_teams.includes(team.id)}
        note={({ at, user }: Kept) =>
          t.rich('pinnedBy', { name: () => <bdi>{user && nameOf(user)}</bdi>, time: () => <Time at={at} /> })
        }
      />
    </MessagesFrame>
  );
}
