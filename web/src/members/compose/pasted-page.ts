const TAG = /<(\/?)([a-z][^<>]*)>/gi;
const NAME = /^[^\s/]+/;
const STYLE = /(?<=[\s"'/])style(?=\s*=)/gi;
/** These need not be closed. */
const OPEN =
  /^(?:p|li|dt|dd|t[rdh]|tbody|thead|col|br|hr|img|input|meta|link|wbr|source|area|base|param|embed)$/;
/** Browsers read ever more slowly what is never closed. */
const MOST_OPEN = 1000;

/**
 * Reads a copied page into a document without a window: nothing in it is loaded, and no script runs. Styles are renamed
 * before, since the browser complains of each to the policy of our page; they stand in `data-style`.
 * @returns undefined where too much is left open
 */
export function pastedPage(markup: string): HTMLElement | undefined {
  const open = new Map<string, number>();
  let all = 0;
  const neutral = markup.replaceAll(TAG, (tag, end: string, inner: string) => {
    const [name = ''] = NAME.exec(inner.toLowerCase()) ?? [];
    const count = open.get(name) ?? 0;
    const step = end === '' ? 1 : -Math.min(1, count);
    if (!OPEN.test(name)) {
      open.set(name, count + step);
      all += step;
    }
    return name === 'style' ? tag.replace(/style/i, 'title') : tag.replaceAll(STYLE, 'data-style');
  });
  return all > MOST_OPEN ? undefined : new DOMParser().parseFromString(neutral, 'text/html').body;
}
