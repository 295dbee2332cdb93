import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { joinedBetween, joinedQuery } from '../state/joined.ts';
import type { MessageList } from '../state/message-list.ts';
import { findMessage } from '../state/messages.ts';

/** Who joined a team between the messages of a list. */
export function useJoined(team: string, list: MessageList | undefined) {
  const times = useMemo(
    () =>
      (list?.ids ?? []).flatMap((id) => {
        const at = findMessage(id)?.created_at;
        return at === undefined ? [] : [{ id, at }];
      }),
    [list?.ids],
  );
  const begins = list?.older === null;
  const ends = list?.newer === null;
  const since = begins ? 0 : (times[0]?.at ?? 0);
  const { data } = useQuery({ ...joinedQuery(team, since), enabled: times.length > 0 });
  return useMemo(() => data && joinedBetween(data, times, { begins, ends }), [data, times, begins, ends]);
}
