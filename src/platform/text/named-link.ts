import { type Inline, readText } from './formatting.ts';

/** What a token becomes. */
export interface Piece {
  readonly text: string;
  readonly is: 'link' | 'address' | 'text';
}

/** The signs that mean something in the text of a link. */
const SIGNS = /[*_~`[\]\\]/;
/** No product's link has a longer text. It is not read four times to find out how it can be written. */
const LONGEST_LABEL = 1000;

/**
 * A link with a text as ours; where the text says no more than the address, the address.
 * @param isFormatted whether signs in the text are formatting, as in Discord's; in Slack's they are text
 */
export function linkPiece(label: string, url: string, isFormatted = false): Piece {
  const text = label.replaceAll(/\s+/g, ' ').trim();
  if (!/^https?:/i.test(url)) {
    const address = url.replace(/^(?:mailto|tel):/, '');
    return text === '' || text === address || text === url
      ? { text: address, is: 'address' }
      : { text: `${text} (${address})`, is: 'link' };
  }
  if (text === '' || saysNoMore(text, url)) return { text: url, is: 'address' };
  if (text.length > LONGEST_LABEL) return { text: `${text} (${url})`, is: 'link' };
  const escaped = text.replaceAll(/[*_~`[\]]/g, '\\$&');
  const encoded = url.replaceAll(/[()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const shown = isFormatted || !SIGNS.test(text) ? undefined : text;
  const written = [text, escaped].flatMap((one) => [`[${one}](${url})`, `[${one}](${encoded})`]);
  // Each is read as a text: a message may have thousands of links that are none.
  const found = [...new Set(written)].find((one) => isLink(one, shown));
  // An address that is no link of ours, as one with user information, stays to be seen.
  return { text: found ?? `${text} (${url})`, is: 'link' };
}

/** Whether a text is one link, and shows these characters. */
function isLink(written: string, shown: string | undefined): boolean {
  const [block, ...others] = readText(written);
  const [link, ...rest] = block?.kind === 'paragraph' ? block.children : [];
  if (link?.kind !== 'link' || others.length + rest.length > 0) return false;
  return shown === undefined || isText(link.children, shown);
}

const isText = ([first, ...rest]: readonly Inline[], shown: string): boolean =>
  first?.kind === 'text' && rest.length === 0 && first.text === shown;

/** Whether a text is the address, or its host. */
function saysNoMore(text: string, url: string): boolean {
  const host = URL.parse(url)?.host;
  return [url, host].some((one) => one !== undefined && bare(one) === bare(text));
}

const bare = (address: string) =>
  address
    .toLowerCase()
    .replace(/^https?:\/\/|^www\./g, '')
    .replace(/\/$/, '');
