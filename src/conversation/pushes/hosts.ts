/** Requests under way at once to one host, by lane: others keep places, however many devices the host has. */
const MOST = [16, 3];

export type HostPlaces = ReturnType<typeof hostPlaces>;

/** Limits the simultaneous requests to each host. */
export function hostPlaces() {
  const underWay = new Map<string, number>();
  /** Devices that wait for a place at a host. */
  const waiting = new Map<string, Set<string>>();

  /** @returns what gives the place back; undefined where the device has to wait */
  function take(device: { id: string; lane: number }, host: string): (() => void) | undefined {
    const { id, lane } = device;
    const key = `${lane} ${host}`;
    const count = underWay.get(key) ?? 0;
    if (count >= (MOST[lane] as number)) {
      waiting.set(key, (waiting.get(key) ?? new Set<string>()).add(id));
      return undefined;
    }
    underWay.set(key, count + 1);
    return () => {
      const left = (underWay.get(key) as number) - 1;
      if (left === 0) underWay.delete(key);
      else underWay.set(key, left);
      waiting.delete(key);
    };
  }

  /** The devices whose hosts have no place for them. */
  const full = (): string[] => [...waiting.values()].flatMap((devices) => [...devices]);

  return { take, full };
}
