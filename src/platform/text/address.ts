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

/** The addresses that a text names, or a person: it may not lead elsewhere without saying so. */
const NAMED = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:[.\u3002\uff0e\uff61][\p{L}\p{N}-]+)+|@/gu;

/** @returns the host to show after a link, where its text names another one, or a person */
export function hostBehind(url: string, text: string): string | undefined {
  const host = URL.parse(url)?.hostname ?? '';
  const bare = host.replace(/^www\./, '');
  const named = text.normalize('NFKC').toLowerCase().match(NAMED) ?? [];
  const isOwn = (one: string) => one === host || one === bare;
  return named.length > 0 && !named.every(isOwn) ? host : undefined;
}
