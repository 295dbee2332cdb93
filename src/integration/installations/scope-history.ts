import type { InstallationRow } from '#schema';

/** What an admin decided about the scopes of an installation. */
export interface ScopeDecision {
  readonly at: number;
  readonly by: string;
  readonly scopes: string[];
  readonly declined: string[];
}

/** Older ones are forgotten. */
const MOST_DECISIONS = 100;

export const declinedOf = (row: Pick<InstallationRow, 'declined_json'>): string[] =>
  JSON.parse(row.declined_json) as string[];

export const historyOf = (row: Pick<InstallationRow, 'scope_history_json'>): ScopeDecision[] =>
  JSON.parse(row.scope_history_json) as ScopeDecision[];

/** The history with one more decision, as it is stored. */
export const withDecision = (row: InstallationRow, decision: ScopeDecision): string =>
  JSON.stringify([...historyOf(row), decision].slice(-MOST_DECISIONS));

/** The decisions, the newest first, each with what it changed. */
export const changesOf = (row: Pick<InstallationRow, 'scope_history_json'>) =>
  historyOf(row)
    .map((decision, index, all) => {
      const { scopes: before = [], declined: until = [] } = all[index - 1] ?? {};
      const { at, by, scopes } = decision;
      const removed = before.filter((scope) => !scopes.includes(scope));
      const known = [...until, ...removed];
      return {
        at,
        by,
        scopes,
        added: scopes.filter((scope) => !before.includes(scope)),
        removed,
        declined: decision.declined.filter((scope) => !known.includes(scope)),
      };
    })
    .toReversed();
