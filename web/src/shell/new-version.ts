import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { isLive, onLive } from '../api/live.ts';
import { tell } from '../design/toast.tsx';

/**
 * The head of a page names what a first view reads (src/web/first.ts): the browser asks for that, and gives the answer to a
 * later request, however old it is by then. With a query it names none of it.
 */
const PAGE = '/?again';

/** Delay before the server is asked again where it did not answer, as one that is being restarted behind a proxy. */
const RETRY_MS = 5000;

/**
 * Whether the server has another build of the application than this window runs.
 * @returns undefined where it did not say
 */
async function isNewer(): Promise<boolean | undefined> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src;
  if (own === undefined) return false;
  try {
    const answer = await fetch(PAGE, { cache: 'no-store', headers: { Accept: 'text/html' } });
    return answer.ok ? !(await answer.text()).includes(new URL(own).pathname) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Offers to reload the page after the server has come back with a newer build. It is the reader who reloads; what they
 * were writing is a draft by then.
 */
export function useNewVersion(): void {
  const t = useTranslations('shell');
  /** Outlives the effect, which begins again with other texts. */
  const wasConnected = useRef(false);
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      clearTimeout(again);
      const newer = await isNewer();
      if (newer) tell(t('newVersion'), { label: t('reload'), run: () => location.reload(), stays: true });
      // Without a connection, the next one asks.
      if (newer === undefined && isLive()) again = setTimeout(look, RETRY_MS);
    };
    const end = onLive('ready', () => {
      if (wasConnected.current) void look();
      wasConnected.current = true;
    });
    return () => {
      clearTimeout(again);
      end();
    };
  }, [t]);
}
