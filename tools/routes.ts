import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Access } from '#api';
import { describedApp } from './described-app.ts';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly access: string;
  /** The file that declares it. */
  readonly file: string;
  readonly summary: string;
}

/** By path, and of one path in the order of their declaration. */
export async function allRoutes(): Promise<Route[]> {
  const sources = readSources();
  const { routes } = await describedApp();
  return routes()
    .filter(({ path }) => !path.startsWith('/docs/'))
    .map(({ method, path, access, summary }) => ({
      method,
      path,
      access: accessOf(access),
      file: fileOf(sources, method, path),
      summary,
    }))
    .sort((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));
}

const accessOf = (access: Access) =>
  typeof access === 'object' ? (access.scope ?? []).join(' or ') : access;

/** The texts of the files that declare routes, by their paths. */
function readSources(): Map<string, string> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = globSync('src/**/*.routes.ts', { cwd: root }).sort();
  return new Map(files.map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')]));
}

/** A path stands in its file as it is, so that one search leads to it; where two files have it, the method decides. */
function fileOf(sources: Map<string, string>, method: string, path: string): string {
  const holding = [...sources].filter(([, text]) => text.includes(`'${path}'`));
  const declared = new RegExp(`method: '${method}',\\s+path: '${RegExp.escape(path)}'`);
  const [file] = holding.find(([, text]) => declared.test(text)) ?? holding[0] ?? [];
  if (file === undefined) throw new Error(`No *.routes.ts file has the path '${path}' as it is.`);
  return file;
}

/** As a table of a terminal. */
export function columns(routes: readonly Route[]): string {
  const widest = (name: keyof Route) => Math.max(...routes.map((route) => route[name].length));
  const [path, access, file] = [widest('path'), widest('access'), widest('file')];
  return routes
    .map((route) =>
      [
        route.method.padEnd(6),
        route.path.padEnd(path),
        route.access.padEnd(access),
        route.file.padEnd(file),
        route.summary,
      ].join('  '),
    )
    .join('\n');
}
