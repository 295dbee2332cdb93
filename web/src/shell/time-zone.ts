import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { callOne } from '../api/client.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { SessionUser } from '../api/types.ts';

/** Tells the server where the reader is, so that others learn for how many it is night. */
export function useTimeZone(): void {
  const { data: me } = useQuery(meQuery);
  const known = me?.time_zone;
  const told = useRef<string>(undefined);
  useEffect(() => {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    // Once: another device, in another zone, would tell its own again for each time that this one does.
    if (known === undefined || told.current === time_zone) return;
    told.current = time_zone;
    if (known === time_zone) return;
    callOne<SessionUser>('/v1/users/me', { method: 'PATCH', body: { time_zone } })
      .then((now) => queryClient.setQueryData(meQuery.queryKey, now))
      // Told again with the next page.
      .catch(() => undefined);
  }, [known]);
}
