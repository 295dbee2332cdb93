import { MOST_COLUMNS, MOST_ROWS } from '#platform/text/formatting.ts';

/** A table that only places things beside each other has these. */
const LAYOUT = 'table, ul, ol, pre, blockquote, h1, h2, h3, h4, h5, h6, p + p';

/**
 * @param cells what was read of each cell
 * @returns a table as it is written in messages; undefined for one that is a layout, or has a single row or column. One that
 * is too large for a message's table has a tab between its cells.
 */
export function tableText(table: HTMLTableElement, cells: WeakMap<Node, string>): string | undefined {
  const rows = [...table.rows].map((row) => [...row.cells].flatMap((cell) => textOf(cell, cells)));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length < 2 || columns < 2 || table.querySelector(LAYOUT)) return undefined;
  if (columns > MOST_COLUMNS || rows.length > MOST_ROWS + 1)
    return rows.map((row) => row.join('\t')).join('\n');
  const [head = [], ...others] = rows.map((row) => line(row, columns));
  return [head, line(alignments(table, columns), columns), ...others].join('\n');
}

/** A cell that is as wide as several has empty ones beside it. */
const textOf = (cell: HTMLTableCellElement, cells: WeakMap<Node, string>): string[] => [
  inOneLine(cells.get(cell) ?? '').replaceAll('|', '\\|'),
  ...Array<string>(Math.min(cell.colSpan, MOST_COLUMNS + 1) - 1).fill(''),
];

export const inOneLine = (text: string): string =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join(' ');

const line = (row: readonly string[], columns: number): string =>
  `| ${[...row, ...Array<string>(columns - row.length).fill('')].join(' | ')} |`;

const SIGNS: Readonly<Record<string, string>> = { right: '---:', end: '---:', center: ':---:' };

/** Those of the row below the head. */
const alignments = (table: HTMLTableElement, columns: number): string[] =>
  Array.from({ length: columns }, (_, at) => {
    const cell = table.rows[1]?.cells[at];
    const align = /text-align:\s*(\w+)/.exec(cell?.dataset.style ?? '')?.[1];
    return SIGNS[align ?? cell?.getAttribute('align') ?? ''] ?? '---';
  });
