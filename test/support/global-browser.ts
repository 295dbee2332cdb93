import { unpackBrowser } from './browser.ts';

/** Unpacks the browser of a whole run. */
export default async function setup(): Promise<void> {
  await unpackBrowser();
}
