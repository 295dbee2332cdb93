import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { directionOf, isolated } from './src/text/languages.ts';
import { TEXT_PARTS } from './src/text/shape.ts';

const NAME = /^virtual:texts\/(\w+)(?:\/(\w+))?$/;
const FORMAT = 'use-intl/format-message';
/** A package of use-intl's own, which need not be at the top. */
const require = createRequire(import.meta.resolve('use-intl'));

type Texts = { readonly [key: string]: string | Texts };
type Compile = (text: string) => unknown;

/**
 * `virtual:texts/en` is the catalogue `src/text/en` with each text parsed when it is built, so that the browser needs no
 * parser: a tenth of all script. `virtual:texts/en/teams` are the texts of one part, which its views load. A text that is not ICU MessageFormat ends the build.
 */
export function compileTexts(): Plugin {
  return {
    name: 'compile-texts',
    config: () => ({ resolve: { alias: { [FORMAT]: `${FORMAT}/format-only` } } }),
    resolveId: (id) => (NAME.test(id) ? `\0${id}` : undefined),
    async load(id) {
      const [, language, part] = NAME.exec(id.slice(1)) ?? [];
      if (!id.startsWith('\0') || language === undefined) return undefined;
      this.addWatchFile(fileURLToPath(fileOf(language)));
      const texts = (await textsOf(language)) as Texts;
      if (part !== undefined) return `export default ${JSON.stringify(texts[part])}`;
      const common = Object.entries(texts).filter(([name]) => !isPart(name));
      const loaders = TEXT_PARTS.map((name) => `${name}: () => import('virtual:texts/${language}/${name}')`);
      return `export default ${JSON.stringify(Object.fromEntries(common))};
export const parts = { ${loaders.join(', ')} };`;
    },
  };
}

const isPart = (name: string) => TEXT_PARTS.some((part) => part === name);

const fileOf = (language: string) => new URL(`src/text/${language}/index.ts`, import.meta.url);

/** The compiled catalogue of a language. */
export async function textsOf(language: string): Promise<unknown> {
  const { default: texts } = (await import(fileOf(language).href)) as { default: Texts };
  const { default: compile } = (await import(pathToFileURL(require.resolve('icu-minify/compile')).href)) as {
    default: Compile;
  };
  const compiled = compileAll(texts, compile, language);
  return directionOf(language) === 'rtl' ? isolateValues(compiled) : compiled;
}

function compileAll(texts: Texts, compile: Compile, path: string): unknown {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const at = `${path}.${key}`;
      if (typeof text !== 'string') return [key, compileAll(text, compile, at)];
      try {
        return [key, compile(text)];
      } catch (error) {
        throw new Error(`The text ${at} cannot be read: ${(error as Error).message}`, { cause: error });
      }
    }),
  );
}

const [OPEN, CLOSE] = isolated('|').split('|');

/** A name in Latin letters in the middle of an Arabic sentence moves none of its words. A compiled value is `[name]`. */
function isolateValues(compiled: unknown): unknown {
  const isValue = (node: unknown) => Array.isArray(node) && node.length === 1 && typeof node[0] === 'string';
  if (Array.isArray(compiled)) {
    return compiled.flatMap((node) => (isValue(node) ? [OPEN, node, CLOSE] : [isolateValues(node)]));
  }
  if (typeof compiled !== 'object' || compiled === null) return compiled;
  return Object.fromEntries(Object.entries(compiled).map(([key, node]) => [key, isolateValues(node)]));
}
