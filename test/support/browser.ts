import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * The Chromium that an npm package ships, with the shared libraries that a bare machine lacks: nothing is installed,
 * and nothing is fetched.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await chromium.executablePath();
  // The package unpacks its libraries by itself only where it recognises the machine.
  await inflate(
    join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin/al2023.tar.br'),
  );
  setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'));
  return playwright.launch({
    executablePath,
    args: [
      // Browsers of several people share their cookies in one process.
      ...chromium.args.filter((argument) => argument !== '--single-process'),
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
    headless: true,
  });
}
