import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { FIRST_READ } from './src/api/first.ts';

/** Tells the server in `first.json` what a first view needs, besides the page: src/web/first.ts. */
export function tellOfFirst(languages: readonly string[]): Plugin {
  let texts: Record<string, readonly string[]> = {};
  let members: readonly string[] = [];
  return {
    name: 'tell-of-first',
    apply: 'build',
    generateBundle(_, bundle) {
      texts = Object.fromEntries(
        languages.map((language) => [language, filesOf(bundle, `virtual:texts/${language}`)]),
      );
      members = filesOf(bundle, '/web/src/routes/members.ts');
    },
    writeBundle({ dir = '' }) {
      const page = readFileSync(join(dir, 'index.html'), 'utf8');
      const ofPage = [...page.matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)].map(String);
      const others = (files: readonly string[]) => files.filter((file) => !ofPage.includes(file));
      const first = {
        files: ofPage,
        texts: Object.fromEntries(Object.entries(texts).map(([name, files]) => [name, others(files)])),
        members: { files: others(members), read: FIRST_READ },
      };
      writeFileSync(join(dir, 'first.json'), JSON.stringify(first));
    },
  };
}

/** @throws where no file has this module */
function filesOf(bundle: Rolldown.OutputBundle, module: string): string[] {
  const names = Object.values(bundle).flatMap((one) =>
    one.type === 'chunk' && one.moduleIds.some((id) => id.endsWith(module)) ? [one.fileName] : [],
  );
  if (names.length === 0) throw new Error(`${module} was not built`);
  return filesWith(bundle, names);
}

/** @returns the addresses of these files and of those that they need */
export function filesWith(bundle: Rolldown.OutputBundle, names: readonly string[]): string[] {
  const files = new Set<string>();
  const add = (name: string) => {
    const chunk = bundle[name];
    if (files.has(name) || chunk?.type !== 'chunk') return;
    files.add(name);
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
    for (const one of chunk.imports) add(one);
  };
  for (const name of names) add(name);
  return [...files].map((name) => `/${name}`);
}
