import { expect, it } from 'vitest';
import de from '../../../web/src/text/de/index.ts';
import en from '../../../web/src/text/en/index.ts';
import { MAIL_BACKOFF_MS } from '../../conversation/mails/index.ts';
import { PUSH_BACKOFF_MS } from '../../conversation/pushes/index.ts';
import { ICON_BACKOFF_MS } from '../icons/index.ts';
import { WEBHOOK_BACKOFF_MS } from '../subscriptions/index.ts';
import { PAUSES_MS } from './queue.service.ts';
import { BACKOFF_MS } from './sender.ts';

const attempts = BACKOFF_MS.length + 1;
const hours = Math.round(BACKOFF_MS.reduce((sum, wait) => sum + wait, 0) / 3_600_000);

it('the pages tell how often and how long a call is tried', () => {
  expect(en.developers.fields.uninstallHint).toContain(`${attempts} attempts within about ${hours} hours`);
  expect(de.developers.fields.uninstallHint).toContain(`${attempts} Versuchen in etwa ${hours} Stunden`);
});

/** Where one more failure makes somebody wait much longer, a receiver that fails rarely is treated as one that is gone. */
it.each(
  Object.entries({
    callbacks: BACKOFF_MS,
    pauses: PAUSES_MS,
    webhooks: WEBHOOK_BACKOFF_MS,
    mails: MAIL_BACKOFF_MS,
    pushes: PUSH_BACKOFF_MS,
    icons: ICON_BACKOFF_MS,
  }),
)('no wait between attempts is more than six times the one before: %s', (_, waits) => {
  const steps = waits.slice(1).map((wait, index) => wait / (waits[index] as number));
  expect(steps.filter((step) => step < 1 || step > 6)).toEqual([]);
});
