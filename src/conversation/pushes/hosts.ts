/** Requests under way at once to one host, by lane: others keep places, however many devices the host has. */
const MOST_OF_HOST = [16, 3];
/** For one person, by lane, whose devices may name any host. */
const MOST_OF_PERSON = 2;

export type HostSlots = ReturnType<typeof hostSlots>;

/** Limits the simultaneous requests to each host, and for each person. */
export function hostSlots() {
  const underWay = new Map<string, number>();
  /** Devices that wait for a place, by what gives it. */
  const waiting = new Map<string, Set<string>>();

  /** @returns what gives the place back; undefined where the device has to wait */
  function take(
    device: { id: string; user_id: string; lane: number },
    host: string,
  ): (() => void) | undefined {
    const { id, user_id, lane } = device;
    const most = new Map([
      [`${lane} host ${host}`, MOST_OF_HOST[lane] as number],
      [`${lane} person ${user_id}`, MOST_OF_PERSON],
    ]);
    const keys = [...most.keys()];
    const full = keys.find((key) => countOf(key) >= (most.get(key) as number));
    if (full !== undefined) {
      waiting.set(full, (waiting.get(full) ?? new Set<string>()).add(id));
      return undefined;
    }
    for (const key of keys) underWay.set(key, countOf(key) + 1);
    return () => {
      for (const key of keys) giveBack(key);
    };
  }

  const countOf = (key: string): number => underWay.get(key) ?? 0;

  function giveBack(key: string): void {
    const left = countOf(key) - 1;
    if (left === 0) underWay.delete(key);
    else underWay.set(key, left);
    waiting.delete(key);
  }

  /** The devices whose hosts have no place for them. */
  const full = (): string[] => [...waiting.values()].flatMap((devices) => [...devices]);

  return { take, full };
}
