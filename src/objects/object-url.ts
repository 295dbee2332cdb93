/**
 * Puts an object's relative address below its application's base address, of which a query is no part.
 * @returns undefined when it is absolute, or leads out of the base address
 */
export function resolveObjectUrl(base: string, relative: string): string | undefined {
  const root = new URL(base);
  root.search = '';
  if (!root.pathname.endsWith('/')) root.pathname += '/';
  const below = root.href;
  // "//host" and "\\host" would name another host, "https:x" another scheme.
  if (/^[/\\]{2}|^\s|\p{Cc}/u.test(relative) || /^[a-z][a-z0-9+.-]*:/i.test(relative)) return undefined;
  const path = relative.replace(/^[/\\]/, '');
  if (!URL.canParse(`./${path}`, below)) return undefined;
  const { href } = new URL(`./${path}`, below);
  return href.startsWith(below) ? href : undefined;
}
