import { isAbsolute, relative } from 'node:path';

/** Whether a path is that of a folder, or of something in it. */
export function isWithin(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (!/^\.\.(?:[\\/]|$)/.test(rest) && !isAbsolute(rest));
}
