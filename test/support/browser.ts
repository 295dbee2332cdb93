import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { root } from './process.ts';

/**
 * With a single process, all contexts would share cookies. The next two switch off protections that the tests rely on.
 * The others draw with an emulated graphics card, which takes a processor ten times as long as drawing without one.
 */
const UNWANTED = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]);

/**
 * Unpacks the Chromium of an npm package, with the shared libraries that a bare machine lacks: works without installation or
 * download. The workers of the tests find it unpacked: one would start the program that another still writes.
 * @returns the program
 */
export async function unpackBrowser(): Promise<string> {
  const executablePath = await chromium.executablePath();
  // The package unpacks its libraries by itself only where it recognises the machine.
  await inflate(join(root, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br'));
  return executablePath;
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = await unpackBrowser();
  setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'));
  return playwright.launch({
    executablePath,
    args: [
      ...chromium.args.filter((arg) => !UNWANTED.has(arg)),
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
    headless: true,
  });
}
