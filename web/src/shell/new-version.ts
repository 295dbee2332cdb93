import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { onLive } from '../api/live.ts';
import { tell } from '../design/toast.tsx';

/**
 * The head of a page names what a first view reads (src/web/first.ts): the browser asks for that, and gives the answer to a
 * later request, however old it is by then. With a query it names none of it.
 */
const PAGE = '/?again';

/** Whether the server has another build of the application than this window runs. */
async function isNewer(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src;
  if (own === undefined) return false;
  try {
    const answer = await fetch(PAGE, { cache: 'no-store', headers: { Accept: 'text/html' } });
    return answer.ok && !(await answer.text()).includes(new URL(own).pathname);
  } catch {
    // It is asked again after the next loss of the connection.
    return false;
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
  useEffect(
    () =>
      onLive('ready', async () => {
        const isAgain = wasConnected.current;
        wasConnected.current = true;
        if (isAgain && (await isNewer())) {
          tell(t('newVersion'), { label: t('reload'), run: () => location.reload(), stays: true });
        }
      }),
    [t],
  );
}
