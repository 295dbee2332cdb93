import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { EphemeralAnswer } from '../../api/types.ts';

const ALL = 'ephemeral';

/** What applications of a team have told this person alone. */
export const ephemeralQuery = (team: string) =>
  queryOptions({
    queryKey: [ALL, team],
    queryFn: async ({ signal }) => {
      const query = { team };
      return (await call<EphemeralAnswer>('/v1/users/me/ephemeral_answers', { query, signal })).data;
    },
  });

/** Those to a command or a shortcut of a team, which are below no message. @returns undefined until they are known */
export const useAnswersIn = (team: string): readonly EphemeralAnswer[] | undefined =>
  useQuery({ ...ephemeralQuery(team), select: ofTeam }).data;

const ofTeam = (all: readonly EphemeralAnswer[]) => all.filter(({ message }) => message === null);

/** @param team all teams without it */
export function refreshEphemeral(team?: string): void {
  void queryClient.invalidateQueries({ queryKey: team === undefined ? [ALL] : [ALL, team] });
}

/** It is gone here at once; the server tells the other windows. */
export async function dismissAnswer({ id, team }: EphemeralAnswer): Promise<void> {
  queryClient.setQueryData(ephemeralQuery(team).queryKey, (all) => all?.filter((one) => one.id !== id));
  await call(`/v1/users/me/ephemeral_answers/${id}`, { method: 'DELETE' }).finally(() =>
    refreshEphemeral(team),
  );
}
