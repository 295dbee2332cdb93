/** Drops trailing punctuation from a URL; keeps a closing bracket that was opened inside it. */
export function withoutEnd(link: string): string {
  const opened = link.split('(').length;
  let closed = link.split(')').length;
  let end = link.length;
  for (; end > 0; end -= 1) {
    const last = link[end - 1] as string;
    if (last === ')' && opened >= closed) break;
    if (!/[.,;:!?'"»”’)\]}*~]/.test(last)) break;
    if (last === ')') closed -= 1;
  }
  return link.slice(0, end);
}

/** @returns the URL if it is safe to link to */
export function safeUrl(url: string): string | undefined {
  return URL.canParse(url) && /^(?:https?|mailto):$/.test(new URL(url).protocol) ? url : undefined;
}

/** What shows nothing, or changes the look of what stands before it. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{M}]/gu;
/** What looks like a dot, or a slash: NFKC leaves these. */
const DOTS = /[\u3002\ua4f8\u00b7\u06d4\u0589\u2022\u2027\u2219\u22c5]/gu;
const SLASHES = /[\u2044\u2215\u29f8]/gu;
/** The hosts that a text names, or a person. */
const NAMED =
  /:\/\/(?<whole>[^\s/?#:]*)|(?<![\p{L}\p{N}-])(?<dotted>[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)|@/gu;

/** @returns the host to show after a link, where its text names another one, or a person: it may lead nowhere else unsaid */
export function hostBehind(url: string, text: string): string | undefined {
  const host = hostOf(url);
  const plain = text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(DOTS, '.')
    .replace(SLASHES, '/')
    .toLowerCase();
  const isOwn = (name: string | undefined) => name === host || name === host.replace(/^www\./, '');
  for (const { groups } of plain.matchAll(NAMED)) if (!isOwn(groups?.whole ?? groups?.dotted)) return host;
  return undefined;
}

/** @returns the host of an address that does not show it: with a sign that looks like the slash behind a host */
export function hostHidden(url: string): string | undefined {
  const [, , written = ''] = url.split('/', 3);
  return /[^\p{L}\p{N}\p{M}.:[\]-]/u.test(written.split(/[?#]/, 1)[0] ?? '') ? hostOf(url) : undefined;
}

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? '';
