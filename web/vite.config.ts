import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { compileTexts } from './compile-texts.ts';
import { filesWith, tellOfFirst } from './first.ts';
import { LANGUAGES } from './src/text/languages.ts';

const SERVER = process.env.PARLEY_URL ?? 'http://localhost:3000';
/** What is smaller than one packet gains nothing. */
const WORTH_COMPRESSING = 1400;

/** Compresses once, when it is built: the server sends files as they are. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets).filter((file) => /\.(js|css|svg)$/.test(file))) {
        const file = join(assets, name);
        const bytes = readFileSync(file);
        if (bytes.length < WORTH_COMPRESSING) continue;
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        writeFileSync(
          `${file}.br`,
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        );
      }
    },
  };
}

/** Where the worker is: its scope is all below its folder. */
const WORKER = 'worker.js';

/** The parts of the application that work without a network. */
const OFFLINE = /\/web\/src\/(design|members|routes|search|shell)\/|virtual:texts\/\w+(?:\/blocks)?$/;

/** @returns the files that these parts load when they are first used, and what those need */
function offlineFiles(bundle: Rolldown.OutputBundle, isOnDemand: (id: string) => boolean): string[] {
  const parts = Object.values(bundle).flatMap((one) =>
    one.type === 'chunk' && one.moduleIds.some((id) => OFFLINE.test(id) && isOnDemand(id))
      ? [one.fileName]
      : [],
  );
  return filesWith(bundle, parts).sort();
}

/** Names the build in the worker, by all of its files: browsers take a worker whose text differs for a new version. */
function nameBuild(): Plugin {
  return {
    name: 'name-build',
    apply: 'build',
    generateBundle(_, bundle) {
      const isOnDemand = (id: string) => (this.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
      const names = Object.keys(bundle).sort().join('\n');
      const worker = bundle[WORKER];
      if (worker?.type !== 'chunk') throw new Error(`${WORKER} was not built`);
      const build = createHash('sha256').update(names).update(worker.code).digest('base64url').slice(0, 16);
      worker.code = worker.code
        .replaceAll('__BUILD__', JSON.stringify(build))
        .replaceAll('__FILES__', JSON.stringify(offlineFiles(bundle, isOnDemand)));
    },
  };
}

/** What every view needs, also those for nobody in particular. */
const START =
  /web\/src\/(main\.tsx|api\/|text\/[\w-]+\.tsx?|entry\/session\.ts|storage\/tab\.ts|design\/(?!dialog-window|menu-popup|people-field))/;

/** No view begins with these (`onDemand`): they are loaded together, when a window has time. */
const LATER = [
  'emoji/add-emoji',
  'shell/(jump|shortcut-list)',
  'members/blocks/(asked|message-blocks|only-you)',
  'members/compose/(format-tools|preview|sidebar-dialog)',
  'members/forms/forms',
  'members/later/(remind|schedule)-dialog',
  'members/message/(forward-dialog|lightbox|player|quote-card)',
  'members/subjects/subject-dialogs',
];

/**
 * Each small file costs a request, and is compressed by itself. So what every view needs is one file, beside the packages,
 * which change less often; what members open first is another, and what is loaded ahead of its use. Everything else is
 * split by the views that load it. A file has what its modules import, unless a group before takes that.
 */
const CHUNKS = [
  {
    name: 'base',
    test: /node_modules\/(react|react-dom|scheduler|@tanstack|use-intl|use-sync-external-store|@formatjs)\//,
    priority: 9,
  },
  { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2, priority: 9 },
  { name: 'popups', test: /node_modules\/(@base-ui|@floating-ui)\//, priority: 9 },
  { name: 'start', test: START, priority: 8 },
  { name: 'members', test: /web\/src\/routes\/members\.ts$/, priority: 6 },
  { name: 'entry', test: /web\/src\/entry\/(entry-frame|sign-in|sign-up)\.tsx$/, priority: 6 },
  // Waited for by themselves, while one writes.
  { name: 'emoji-names', test: /emoji-names\.json$/, priority: 5 },
  { name: 'windows', test: /web\/src\/design\/(dialog-window|menu-popup|people-field)\.tsx$/, priority: 5 },
  {
    name: 'later',
    test: new RegExp(`/web/src/(${LATER.join('|')})\\.tsx$`),
    priority: 4,
  },
];

/** `npm start` builds; `npm run web` serves the sources, with changes at once, beside a server at localhost:3000. */
export default defineConfig({
  plugins: [react(), compileTexts(), nameBuild(), tellOfFirst(Object.keys(LANGUAGES)), compress()],
  resolve: {
    alias: [{ find: /^(?:linkify-it|entities)$/, replacement: join(import.meta.dirname, 'without.ts') }],
  },
  build: {
    target: 'es2022',
    // The policy of the page allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        worker: join(import.meta.dirname, 'worker/worker.ts'),
      },
      output: {
        codeSplitting: { groups: CHUNKS },
        entryFileNames: ({ name }) => (name === 'worker' ? WORKER : 'assets/[name]-[hash].js'),
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/docs', '/openapi.json'].map((path) => [
        path,
        { target: SERVER, changeOrigin: true, headers: { Origin: SERVER } },
      ]),
    ),
  },
});
