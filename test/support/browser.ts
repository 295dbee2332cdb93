import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * With a single process, all contexts would share cookies. The next two switch off protections that the tests rely on.
 * The others draw with an emulated graphics card, which takes a processor ten times as long as drawing without one.
 */
const UNWANTED = new Set([
  '--single-process',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]);

/**
 * The Chromium of an npm package, with the shared libraries that a bare machine lacks: works without installation or
 * download.
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
      ...chromium.args.filter((arg) => !UNWANTED.has(arg)),
      '--no-sandbox',
      '--disable-gpu',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
    headless: true,
  });
}
