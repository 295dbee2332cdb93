import { cleaning } from '#platform/jobs/index.ts';
import type { Pictures } from '#platform/pictures/index.ts';
import type { UnfurlService } from '../conversation/messages/index.ts';
import type { PictureService } from '../conversation/pictures/index.ts';
import {
  looking,
  previewService,
  purgeJobs,
  startPreviewer,
  visitor,
} from '../conversation/previews/index.ts';
import { type AppParts, type Background, days } from './parts.ts';

/** How long it is known that a link had nothing to show. */
const KEPT_MS = days(30);

/** Previews of foreign pages: a row with the message that links to one, looked at afterwards. */
export function joinPreviews(
  parts: Pick<AppParts, 'config' | 'db' | 'clock' | 'spool' | 'pages' | 'previewsOfLoopback' | 'baseUrl'>,
  deps: {
    pictures: Pictures;
    shown: PictureService;
    unfurls: UnfurlService;
    background: Background;
  },
) {
  const { config, db, clock, spool, pages, previewsOfLoopback: allowsHttp = false, baseUrl } = parts;
  const { pictures, shown, unfurls, background } = deps;
  const isOn = config.LINK_PREVIEWS === 'on';
  const { intervalMs, onError } = background;
  const worker = isOn
    ? startPreviewer({
        lookAt: looking({ visitor: visitor({ outbound: pages, allowsHttp }), pictures, spool, allowsHttp }),
        ...{ db, clock, pictures: shown, unfurls, intervalMs, onError },
      })
    : undefined;
  const wake = () => worker?.wake();
  return {
    previews: previewService({ clock, baseUrl, isOn, allowsHttp, wake }),
    housekeeping: [cleaning(db, purgeJobs, () => ({ before: clock() - KEPT_MS }))],
    start: wake,
    stop: async () => {
      await Promise.all([worker?.stop(), pages.close()]);
    },
  };
}
