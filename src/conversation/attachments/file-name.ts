import { withoutInvisible } from '#platform/text/index.ts';

const MAX_LENGTH = 255;
const MAX_EXTENSION = 32;
const NO_NAME = 'file';

/** The name as it is shown and offered for saving: one line, no path, nothing that misleads. */
export function cleanFileName(given: string | undefined): string {
  const name = withoutInvisible((given ?? '').toWellFormed())
    .replaceAll(/[/\\]/g, '_')
    .trim();
  if (/^\.*$/.test(name)) return NO_NAME;
  return shorten(name);
}

/** The extension stays. */
function shorten(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_LENGTH) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= MAX_EXTENSION ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_LENGTH - extension.length), ...extension].join('');
}
