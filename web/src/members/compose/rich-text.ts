import TurndownService from 'turndown';
import { pastedPage } from './pasted-page.ts';
import { codeOf, fenced, inlineCode, languageOf, tidyCode } from './rich-code.ts';
import { addLists, tidyLists } from './rich-list.ts';
import { inOneLine, tableText } from './rich-table.ts';

/** What a person copies has fewer; above that the plain text stands for it. */
const MOST_NODES = 20_000;
const MOST_DEEP = 100;

/** Shows nothing that was copied. */
const UNSHOWN =
  'script, style, noscript, template, title, svg, button, select, textarea, iframe, object, o\\:p';

/**
 * @returns the text of a copied page in the formatting of messages; undefined where it is too large to be read, or says no
 * more than its text.
 */
export function richText(markup: string): string | undefined {
  const body = pastedPage(markup);
  if (!body || !isSmall(body)) return undefined;
  for (const one of body.querySelectorAll(UNSHOWN)) one.remove();
  tidyLists(body);
  tidyCode(body);
  if (isLineOfCode(body)) return undefined;
  const lines = reader().turndown(body).replaceAll('\u00a0', ' ').split('\n');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function isSmall(body: HTMLElement): boolean {
  const walker = body.ownerDocument.createTreeWalker(body);
  let deep = 0;
  for (let count = 0; count < MOST_NODES && deep < MOST_DEEP; count += 1) {
    if (walker.firstChild()) deep += 1;
    else {
      while (!walker.nextSibling()) {
        if (!walker.parentNode()) return true;
        deep -= 1;
      }
    }
  }
  return false;
}

/** An editor copies a word of code as a block. */
function isLineOfCode(body: HTMLElement): boolean {
  const [only, ...others] = body.querySelectorAll(':scope > :not(meta)');
  return others.length === 0 && only?.localName === 'pre' && !codeOf(only).includes('\n');
}

let made: TurndownService | undefined;
const reader = () => {
  made ??= makeReader();
  return made;
};

const lines = (content: string) => `\n${content}\n`;
const apart = (content: string) => `\n\n${content}\n\n`;
const styleOf = (node: HTMLElement) => node.dataset.style ?? '';

function makeReader(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    br: '',
    hr: '---',
    blankReplacement: (_, node) => ('isBlock' in node && node.isBlock ? '\n\n' : ''),
    // Each line of an editor is an element.
    defaultReplacement: (content, node) => ('isBlock' in node && node.isBlock ? lines(content) : content),
  });
  // What is pasted is read as what is typed.
  service.escape = (text) => text;
  addEmphasis(service);
  addCode(service);
  addLists(service);
  service.addRule('link', {
    filter: 'a',
    replacement: (content, node) => linkText(content, node as HTMLElement),
  });
  service.addRule('picture', {
    filter: 'img',
    replacement: (_, node) => (node as HTMLElement).getAttribute('alt') ?? '',
  });
  service.addRule('quote', { filter: 'blockquote', replacement: (content) => apart(quoted(content)) });
  const cells = new WeakMap<Node, string>();
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content, node) => {
      cells.set(node, content.trim());
      return lines(content);
    },
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node) => apart(tableText(node as unknown as HTMLTableElement, cells) ?? content),
  });
  return service;
}

const quoted = (content: string) => content.trim().replaceAll(/^/gm, '> ');

/** An address of the web behind its text; where the text is the address, that alone. */
function linkText(content: string, node: HTMLElement): string {
  const text = inOneLine(content);
  const url = URL.parse(node.getAttribute('href') ?? '');
  if (text === '' || !url || !/^https?:$/.test(url.protocol)) return content;
  if ([url.href, url.href.replace(/\/$/, '')].includes(text)) return text;
  const address = url.href.replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${text.replaceAll(/[[\]]/g, '\\$&')}](${address})`;
}

/** By the element, or by its style: some pages have nothing else, and Google Docs puts all in an element that is not bold. */
const IS: Readonly<Record<string, (node: HTMLElement) => boolean>> = {
  '**': (node) => {
    const weight = /font-weight:\s*(\w+)/.exec(styleOf(node))?.[1];
    if (weight !== undefined) return weight === 'bold' || Number(weight) >= 600;
    return /^(?:b|strong)$/.test(node.localName);
  },
  '*': (node) => /^(?:i|em)$/.test(node.localName) || /font-style:\s*italic/.test(styleOf(node)),
  '~~': (node) => /^(?:s|del|strike)$/.test(node.localName) || /line-through/.test(styleOf(node)),
};
const INLINE = /^(?:b|strong|i|em|s|del|strike|span|font)$/;

function addEmphasis(service: TurndownService): void {
  service.addRule('emphasis', {
    filter: (node) => INLINE.test(node.localName),
    replacement: (content, node) => {
      if (content.trim() === '' || content.includes('\n')) return content;
      const signs = Object.keys(IS).filter(
        (sign) => IS[sign]?.(node as HTMLElement) && !isWithin(node as HTMLElement, sign),
      );
      return signs.reduce((text, sign) => sign + text + sign, content);
    },
  });
}

/** A heading is strong as it is. */
function isWithin(node: HTMLElement, sign: string): boolean {
  for (let above = node.parentElement; above; above = above.parentElement) {
    if (sign === '**' && /^h[1-6]|th$/.test(above.localName)) return true;
    if (INLINE.test(above.localName) && IS[sign]?.(above)) return true;
  }
  return false;
}

function addCode(service: TurndownService): void {
  service.addRule('code', {
    filter: (node) => /^(?:code|tt|kbd|samp)$/.test(node.localName),
    replacement: (_, node) => inlineCode(node.textContent ?? ''),
  });
  service.addRule('block', {
    filter: 'pre',
    replacement: (_, node) => apart(fenced(codeOf(node), languageOf(node as HTMLElement))),
  });
}
