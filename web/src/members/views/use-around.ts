import { useEffect, useState } from 'react';
import { type ListFilter, showAround } from '../state/lists.ts';
import type { MessageList } from '../state/message-list.ts';

/** @returns whether the message that the URL names has been loaded */
export function useAround(
  filter: ListFilter,
  at: string | undefined,
  list: MessageList | undefined,
): boolean {
  const [tried, setTried] = useState<string>();
  const there = at === undefined || (list?.ids.includes(at) ?? false);
  useEffect(() => {
    if (list === undefined || at === undefined || tried === at) return;
    // Scrolling on may unload it; the view must not jump back then.
    if (there) return setTried(at);
    // If it is deleted or elsewhere, the stream is shown without it.
    showAround(filter, at).then(
      () => setTried(at),
      () => setTried(at),
    );
  }, [there, list, at, tried, filter]);
  return there || tried === at;
}
