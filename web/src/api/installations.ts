import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { byName } from './collation.ts';
import type { DirectConversation, Installation } from './types.ts';

/** A team's installations, and the last attempts of those that failed. */
export const installationsQuery = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'applications'],
    queryFn: async ({ signal }) => {
      const { data } = await call<Installation>(`/v1/teams/${team}/applications`, { signal });
      return latestOfEach(data);
    },
    staleTime: 0,
  });

const IMPORTANCE = ['active', 'pending', 'failed'];

/** One per application: a failed attempt does not matter beside a working installation. */
function latestOfEach(all: Installation[]): Installation[] {
  const rank = ({ status }: Installation) => IMPORTANCE.indexOf(status);
  const sorted = all
    .filter((one) => rank(one) !== -1)
    .sort((one, other) => rank(one) - rank(other) || other.created_at - one.created_at);
  const byApplication = new Map<string, Installation>();
  for (const one of sorted)
    if (!byApplication.has(one.application.id)) byApplication.set(one.application.id, one);
  return [...byApplication.values()].sort((one, other) =>
    byName(one.application.name, other.application.name),
  );
}

type Obstacle = NonNullable<NonNullable<DirectConversation['application']>['obstacle']>;

/** Why the application of an installation writes no direct messages, as far as the installation tells. */
export function obstacleOf(installation: Installation): Obstacle | undefined {
  if (installation.status !== 'active') return 'not_installed';
  if (installation.application.suspended || installation.asleep_since !== null) return 'suspended';
  return installation.scopes.includes('direct:app') ? undefined : 'not_granted';
}
