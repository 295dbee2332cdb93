import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compileTexts } from './compile-texts.ts';

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

/**
 * What every view needs is one file, and so are what many share and the icons: each small file costs a request, and is
 * compressed by itself. Everything else is split by the views that load it.
 */
const CHUNKS = [
  {
    name: 'base',
    test: /node_modules\/(react|react-dom|scheduler|@tanstack|use-intl|use-sync-external-store|@formatjs)\//,
    priority: 2,
  },
  { name: 'icons', test: /node_modules\/lucide-react\//, priority: 2 },
  { name: 'popups', test: /node_modules\/(@base-ui|@floating-ui)\//, priority: 2 },
  { name: 'shared', test: /web\/src\/(api|design|text)\//, minShareCount: 2, priority: 1 },
];

/** `npm start` builds; `npm run web` serves the sources, with changes at once, beside a server at localhost:3000. */
export default defineConfig({
  plugins: [react(), compileTexts(), compress()],
  build: {
    target: 'es2022',
    // The policy of the page allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
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
