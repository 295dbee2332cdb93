import { type ComponentType, useEffect, useState } from 'react';
import { queryClient } from '../api/queries.ts';
import { reloadForMissingCode } from './reload.ts';

/** While the page still asks for what it shows, or is offline, nothing is loaded ahead. */
const ASK_AGAIN_MS = 200;

const ahead: (() => Promise<unknown>)[] = [];
/** Views that are opened later have more of them. */
let isAhead = false;

/**
 * A component that no view starts with: its code is loaded when the browser has time, or when it is first shown. Not by
 * `lazy`, since React holds back what a suspended boundary reveals by 300 ms.
 * Without a connection it is loaded once there is one.
 * @param Instead is shown until then, and if the code cannot be loaded
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Instead?: ComponentType<Props>,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const begin = async () => {
    Loaded ??= await load();
  };
  ahead.push(begin);
  if (isAhead) loadAhead();
  return function OnDemand(props: Props) {
    const [{ error }, setState] = useState<{ readonly error?: unknown }>({});
    useEffect(() => {
      const show = () => begin().then(() => setState({}), fail);
      const fail = (error: unknown) => {
        // The rest of the view is of use without a connection, and this one follows with it.
        if (!navigator.onLine) return addEventListener('online', show, { once: true });
        // Also while other code is loaded ahead, when a missing file says nothing.
        void reloadForMissingCode();
        setState({ error });
      };
      if (!Loaded) void show();
      return () => removeEventListener('online', show);
    }, []);
    if (error !== undefined && !Instead) throw error;
    if (Loaded) return <Loaded {...props} />;
    return Instead ? <Instead {...props} /> : null;
  };
}

let running = 0;
/** Whether a file that is missing may be one of these: the page is not reloaded for what it does not show. */
export const isLoadingAhead = (): boolean => running > 0;

async function beginAhead(begin: () => Promise<unknown>): Promise<void> {
  running += 1;
  // A failure is told where the component is shown.
  await begin().catch(() => undefined);
  running -= 1;
}

/** Loads all of them once the page has what it shows. Call once. */
export function loadAhead(): void {
  isAhead = true;
  // Safari has no idle callback.
  const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
  const work = () => {
    if (!navigator.onLine || queryClient.isFetching() > 0) return wait();
    for (const begin of ahead.splice(0)) void beginAhead(begin);
  };
  const wait = () => setTimeout(() => whenIdle(work), ASK_AGAIN_MS);
  wait();
}
