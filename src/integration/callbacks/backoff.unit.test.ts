import { expect, it } from 'vitest';
import de from '../../../web/src/text/de/index.ts';
import en from '../../../web/src/text/en/index.ts';
import { BACKOFF_MS } from './sender.ts';

const attempts = BACKOFF_MS.length + 1;
const hours = Math.round(BACKOFF_MS.reduce((sum, wait) => sum + wait, 0) / 3_600_000);

it('the pages tell how often and how long a call is tried', () => {
  expect(en.developers.fields.uninstallHint).toContain(`${attempts} attempts within about ${hours} hours`);
  expect(de.developers.fields.uninstallHint).toContain(`${attempts} Versuchen in etwa ${hours} Stunden`);
});
