import { useEffect, useRef } from 'react';
import { callOne } from '../api/client.ts';
import { onSessionElsewhere } from '../api/live.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { SessionUser } from '../api/types.ts';

/**
 * A page for people without a session goes on when another window of the browser has got one. It asks when that window
 * tells, and when it comes to the front: a browser may have put it to sleep meanwhile.
 * @param goOn not called after a sign-in in this window
 */
export function useSignedInElsewhere(goOn: () => void): void {
  const latest = useRef(goOn);
  latest.current = goOn;
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const isKnown = () => Boolean(queryClient.getQueryData(meQuery.queryKey));
    const ask = async () => {
      if (isKnown()) return;
      // Without a session, or without a network, the page stays.
      const me = await callOne<SessionUser>('/v1/users/me', { signal }).catch(() => undefined);
      if (!me || signal.aborted || isKnown()) return;
      queryClient.clear();
      queryClient.setQueryData(meQuery.queryKey, me);
      latest.current();
    };
    const endHearing = onSessionElsewhere(() => void ask());
    document.addEventListener('visibilitychange', () => document.hidden || void ask(), { signal });
    return () => {
      endHearing();
      ended.abort();
    };
  }, []);
}
