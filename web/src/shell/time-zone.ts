import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callOne } from '../api/client.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { SessionUser } from '../api/types.ts';

/** Tells the server where the reader is, so that others learn for how many it is night. */
export function useTimeZone(): void {
  const { data: me } = useQuery(meQuery);
  const known = me?.time_zone;
  useEffect(() => {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (known === undefined || known === time_zone) return;
    callOne<SessionUser>('/v1/users/me', { method: 'PATCH', body: { time_zone } })
      .then((now) => queryClient.setQueryData(meQuery.queryKey, now))
      // Told again with the next page.
      .catch(() => undefined);
  }, [known]);
}
