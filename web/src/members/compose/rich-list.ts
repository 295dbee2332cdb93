import type TurndownService from 'turndown';

/** Makes lists of what stands for them: in Google Docs, in Word, and the lines of an editor. */
export function tidyLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) {
    const item = list.previousElementSibling;
    if (item?.localName === 'li') item.append(list);
  }
  for (const item of body.querySelectorAll<HTMLElement>('p[data-style*="mso-list"]')) markItem(item);
}

/** Word has a paragraph with its sign, which it tells others to ignore. */
function markItem(item: HTMLElement): void {
  const mark = item.querySelector('[data-style*="mso-list:Ignore"], [data-style*="mso-list: Ignore"]');
  if (!mark) return;
  const number = /^\s*(\d{1,9})[.)]/.exec(mark.textContent ?? '')?.[1];
  const level = Number(/level(\d)/.exec(item.dataset.style ?? '')?.[1] ?? 1);
  item.dataset.item = `${'   '.repeat(level - 1)}${number === undefined ? '-' : `${number}.`} `;
  mark.remove();
}

export function addLists(service: TurndownService): void {
  /** How many items of a list were read: the place of each is not searched for. */
  const read = new WeakMap<Node, number>();
  const signOf = (list: HTMLElement | null) => {
    if (list?.localName !== 'ol') return '- ';
    const place = read.get(list) ?? Number(list.getAttribute('start') ?? 1);
    read.set(list, place + 1);
    return `${place}. `;
  };
  service.addRule('list', {
    filter: ['ul', 'ol'],
    replacement: (content, node) => {
      const isInner = node.parentNode?.nodeName === 'LI';
      return isInner ? `\n${content.trim()}\n` : `\n\n${content.trim()}\n\n`;
    },
  });
  service.addRule('item', {
    filter: 'li',
    replacement: (content, node) => itemText(signOf(node.parentElement), content),
  });
  service.addRule('word-item', {
    filter: (node) => node.dataset.item !== undefined,
    replacement: (content, node) => `\n${(node as HTMLElement).dataset.item}${content.trim()}\n`,
  });
  service.addRule('task', {
    filter: (node) => node.matches('li input[type="checkbox"]'),
    replacement: (_, node) => {
      const blank = /^\s/.test(node.nextSibling?.textContent ?? '') ? '' : ' ';
      return `[${(node as HTMLElement).hasAttribute('checked') ? 'x' : ' '}]${blank}`;
    },
  });
}

/** Blank lines within an item are those of its code alone. */
function itemText(sign: string, content: string): string {
  const text = content.includes('```') ? content : content.replaceAll(/\n{2,}/g, '\n');
  return `\n${sign}${text.trim().replaceAll('\n', `\n${' '.repeat(sign.length)}`)}\n`;
}
