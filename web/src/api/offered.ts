import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { queryClient } from './queries.ts';
import type { OfferedShortcut, TeamCommand } from './types.ts';

/*
 * What the applications of a team offer by name. Fresh wherever it is asked: an application may change it at any time, and
 * tells nobody.
 */

const COMMANDS = 'commands';

export const commandsPath = (team: string) => `/v1/teams/${team}/commands`;

/** The commands of a team; for admins, also those that another application has. */
export const commandsQuery = (team: string) =>
  queryOptions({
    queryKey: ['team', team, COMMANDS],
    queryFn: async ({ signal }) => (await call<TeamCommand>(commandsPath(team), { signal })).data,
    staleTime: 0,
  });

/** For admins: the same, as if an application were installed now. */
export const commandsIfInstalledQuery = (team: string, application: string) =>
  queryOptions({
    queryKey: ['team', team, COMMANDS, application],
    queryFn: async ({ signal }) =>
      (await call<TeamCommand>(commandsPath(team), { query: { application }, signal })).data,
    staleTime: 0,
  });

/** Whether it can be given: it is not another application that has it. */
export const isReached = ({ taken_by }: TeamCommand): boolean => taken_by === undefined;

/** So old a list may be when a command is sent that was just typed. */
const JUST_ASKED_MS = 10_000;

/**
 * The commands that can be given in a team.
 * @throws ApiError, Unreachable if they are not known
 */
export async function commandsIn(team: string): Promise<TeamCommand[]> {
  const query = commandsQuery(team);
  const all = await queryClient
    .fetchQuery({ ...query, staleTime: JUST_ASKED_MS, retry: false })
    .catch((error: unknown) => {
      const known = queryClient.getQueryData(query.queryKey);
      if (known) return known;
      throw error;
    });
  return all.filter(isReached);
}

/** The commands of all teams whose lists are known. */
export const knownCommands = (): TeamCommand[] =>
  queryClient
    .getQueriesData<TeamCommand[]>({ predicate: ({ queryKey }) => queryKey[2] === COMMANDS && !queryKey[3] })
    .flatMap(([, commands = []]) => commands)
    .filter(isReached);

export const shortcutsQuery = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'shortcuts'],
    queryFn: async ({ signal }) =>
      (await call<OfferedShortcut>(`/v1/teams/${team}/shortcuts`, { signal })).data,
    staleTime: 0,
  });

/** After an application was installed or uninstalled. */
export function refreshOffered(team: string): void {
  for (const { queryKey } of [commandsQuery(team), shortcutsQuery(team)])
    void queryClient.invalidateQueries({ queryKey });
}
