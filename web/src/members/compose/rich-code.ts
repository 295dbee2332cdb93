/** Of a table that has the numbers of the lines beside them: at GitHub, GitLab, and by the usual highlighters. */
const CODE_CELLS =
  'td:is(.blob-code, .js-file-line, .line_content, .code, .rouge-code, .hljs-ln-code, .crayon-code)';

/** What Visual Studio Code copies: an element for each line, and blanks that count. */
const EDITOR = ':scope > div[data-style*="monospace"][data-style*="white-space: pre"]';

/** Makes blocks of code of what stands for them. */
export function tidyCode(body: HTMLElement): void {
  for (const editor of body.querySelectorAll<HTMLElement>(EDITOR)) putBlock(editor, codeOf(editor));
  for (const table of body.querySelectorAll('table')) {
    const cells = [...table.querySelectorAll(CODE_CELLS)];
    if (cells.length > 0) putBlock(table, cells.map(codeOf).join('\n'));
  }
}

function putBlock(element: HTMLElement, text: string): void {
  const block = element.ownerDocument.createElement('pre');
  const language = languageOf(element);
  if (language !== '') block.className = `language-${language}`;
  block.append(text);
  element.replaceWith(block);
}

const LINE = /^(?:div|p|li|tr)$/;

/** The text of code: each element of a line is one. */
export function codeOf(node: Node): string {
  let text = '';
  const read = (one: Node): void => {
    const name = one.nodeName.toLowerCase();
    if (one.nodeType === 3) text += (one as Text).data;
    if (name === 'br' || (LINE.test(name) && text !== '' && !text.endsWith('\n'))) text += '\n';
    for (const child of one.childNodes) read(child);
    if (LINE.test(name) && !text.endsWith('\n')) text += '\n';
  };
  read(node);
  return text.replace(/^\n/, '').trimEnd();
}

/** Behind longer rows of signs than the text has. */
export function fenced(text: string, language: string): string {
  const fence = longer(text, /`{3,}/g, 2);
  return `${fence}${language}\n${text}\n${fence}`;
}

export function inlineCode(content: string): string {
  const text = content.replaceAll(/\s+/g, ' ').trim();
  const sign = longer(text, /`+/g, 0);
  if (text === '') return '';
  return text.startsWith('`') || text.endsWith('`') ? `${sign} ${text} ${sign}` : sign + text + sign;
}

const longer = (text: string, rows: RegExp, least: number): string =>
  '`'.repeat(1 + Math.max(least, ...(text.match(rows) ?? []).map((row) => row.length)));

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]{1,30})/;

/** What the classes of the element, of the one around it or of its code say. */
export function languageOf(node: HTMLElement): string {
  for (const one of [node, node.parentElement, node.querySelector('code')]) {
    const found = LANGUAGE.exec(one?.className ?? '')?.[1];
    if (found !== undefined) return found;
  }
  return '';
}
