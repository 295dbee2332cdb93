/** An event that a receiver has handled, or that the log holds. */
export interface HeardId {
  readonly id: string;
  readonly team: string;
}

/** Numbers below 1, the same in each run. */
export function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** How a receiver differs from one that handled each event of the log once, those of a team in its order. */
export function faultsOf(handled: readonly HeardId[], log: readonly HeardId[]): string[] {
  const faults: string[] = [];
  const [expected, found] = [byTeam(log), byTeam(handled)];
  for (const team of new Set([...expected.keys(), ...found.keys()])) {
    const [ids, seen] = [expected.get(team) ?? [], found.get(team) ?? []];
    const [wanted, unique] = [new Set(ids), new Set(seen)];
    const missing = ids.filter((id) => !unique.has(id));
    const foreign = [...unique].filter((id) => !wanted.has(id));
    if (missing.length > 0) faults.push(`${team}: ${missing.length} are missing, the first is ${missing[0]}`);
    if (foreign.length > 0)
      faults.push(`${team}: ${foreign.length} are not in the log, such as ${foreign[0]}`);
    if (unique.size < seen.length) faults.push(`${team}: ${seen.length - unique.size} were handled again`);
    const inOrder = ids.filter((id) => unique.has(id));
    const first = [...unique].filter((id) => wanted.has(id)).findIndex((id, place) => id !== inOrder[place]);
    if (first !== -1) faults.push(`${team}: the order is wrong from ${inOrder[first]} on`);
  }
  return faults;
}

function byTeam(events: readonly HeardId[]): Map<string, string[]> {
  const teams = new Map<string, string[]>();
  for (const { id, team } of events) {
    const ids = teams.get(team);
    if (ids) ids.push(id);
    else teams.set(team, [id]);
  }
  return teams;
}
