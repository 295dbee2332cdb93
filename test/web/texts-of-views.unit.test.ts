import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { TEXT_PARTS } from '../../web/src/text/shape.ts';

const WEB = resolve(import.meta.dirname, '../../web/src');
const ROUTES = join(WEB, 'routes');
const isPart = (name: string) => TEXT_PARTS.some((part) => part === name);

/** The modules that one loads, at once and later, the views of other routes aside. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+\.tsx?)'/g)) {
    const next = resolve(dirname(file), path);
    if (dirname(next) !== ROUTES && existsSync(next)) loadedBy(next, found);
  }
  return found;
}

const partsIn = (file: string, pattern: RegExp): string[] =>
  [...loadedBy(file)].flatMap((one) =>
    [...readFileSync(one, 'utf8').matchAll(pattern)].map(([, name = '']) => name).filter(isPart),
  );

/** Without those that code loads together with itself, when it is shown. */
function partsShownBy(file: string): string[] {
  const later = partsIn(file, /loadTextsOf\('(\w+)'\)/g);
  return partsIn(file, /useTranslations\('(\w+)/g).filter((part) => !later.includes(part));
}

const VIEW = /(?:view\(\s*\[([^\]]*)\],\s*|lazyRouteComponent\(\s*)\(\) => import\('([^']+)'\)/g;
const maps = readdirSync(ROUTES)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(ROUTES, name), 'utf8'));
const views = maps.flatMap((map) =>
  [...map.matchAll(VIEW)].map(([, parts = '', path = '']) => ({
    path,
    parts: [...parts.matchAll(/'(\w+)'/g)].map(([, part]) => part),
  })),
);

it.each(views)('$path loads the texts that it shows', ({ path, parts }) => {
  const shown = [...new Set(partsShownBy(resolve(ROUTES, path)))].filter((part) => !parts.includes(part));
  expect(shown).toEqual([]);
});

it('every view is among them', () => {
  const imports = maps.flatMap((map) => [...map.matchAll(/import\('/g)]);
  expect(views.length).toBe(imports.length);
});
