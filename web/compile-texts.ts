import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const NAME = /^virtual:texts\/(\w+)$/;
const FORMAT = 'use-intl/format-message';
/** A package of use-intl's own, which need not be at the top. */
const require = createRequire(import.meta.resolve('use-intl'));

type Texts = { readonly [key: string]: string | Texts };
type Compile = (text: string) => unknown;

/**
 * `virtual:texts/en` is the catalogue `src/text/en` with each text parsed when it is built, so that the browser needs no
 * parser: a tenth of all script. A text that is not ICU MessageFormat ends the build.
 */
export function compileTexts(): Plugin {
  return {
    name: 'compile-texts',
    config: () => ({ resolve: { alias: { [FORMAT]: `${FORMAT}/format-only` } } }),
    resolveId: (id) => (NAME.test(id) ? `\0${id}` : undefined),
    async load(id) {
      const language = NAME.exec(id.slice(1))?.[1];
      if (!id.startsWith('\0') || language === undefined) return undefined;
      const file = new URL(`src/text/${language}/index.ts`, import.meta.url);
      this.addWatchFile(fileURLToPath(file));
      const { default: texts } = (await import(file.href)) as { default: Texts };
      const { default: compile } = (await import(
        pathToFileURL(require.resolve('icu-minify/compile')).href
      )) as {
        default: Compile;
      };
      return `export default ${JSON.stringify(compileAll(texts, compile, language))}`;
    },
  };
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
