import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { BlockOf, Cell } from '../../api/types.ts';
import { IconButton } from '../../design/button.tsx';
import styles from './blocks.module.css';
import { RichText } from './rich-text.tsx';

/** Rows of a page, where the application does not say how many. */
const PAGE_SIZE = 10;

/** Whether a column holds numbers alone, which stand below each other. */
const isNumeric = (rows: readonly (readonly Cell[])[], column: number): boolean =>
  rows.length > 0 && rows.every((row) => row[column]?.type === 'raw_number');

type Align = 'left' | 'center' | 'right' | undefined;

/** One that is wider than the screen is moved with the keyboard (WCAG 2.1.1). */
const Scrolled = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: WCAG 2.1.1
  <section className={styles.tableFrame} tabIndex={0}>
    {children}
  </section>
);

export function PlainTable({ block: { rows, column_settings = [] } }: { block: BlockOf<'table'> }) {
  const [head = [], ...body] = rows;
  const columns = Math.max(...rows.map(({ length }) => length));
  const ofColumn = (column: number) => ({
    align: column_settings[column]?.align ?? (isNumeric(body, column) ? 'right' : undefined),
    isWrapped: column_settings[column]?.is_wrapped ?? false,
  });
  return (
    <Scrolled>
      <table className={styles.table}>
        <thead>
          <tr>
            {places(columns).map((column) => (
              <Head key={column} cell={head[column]} {...ofColumn(column)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else, and hold no state
            <tr key={at}>
              {places(columns).map((column) => (
                <Data key={column} cell={row[column]} {...ofColumn(column)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

export function DataTable({ block }: { block: BlockOf<'data_table'> }) {
  const { caption, rows, page_size: size = PAGE_SIZE, row_header_column_index: named = 0 } = block;
  const [head = [], ...body] = rows;
  const [wanted, setPage] = useState(0);
  const id = useId();
  const page = Math.min(wanted, Math.floor((body.length - 1) / size));
  const shown = body.slice(page * size, (page + 1) * size);
  return (
    <div className={styles.dataTable}>
      <Scrolled>
        <table id={id} className={styles.table}>
          <caption dir="auto">{caption}</caption>
          <thead>
            <tr>
              {head.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                <Head key={column} cell={cell} align={isNumeric(body, column) ? 'right' : undefined} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <tr key={at}>
                {row.map((cell, column) =>
                  column === named ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <Head key={column} cell={cell} scope="row" />
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <Data key={column} cell={cell} />
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {body.length > size && (
        <Pages page={page} size={size} all={body.length} table={id} turn={(by) => setPage(page + by)} />
      )}
    </div>
  );
}

function Pages(props: {
  page: number;
  size: number;
  all: number;
  table: string;
  turn: (by: 1 | -1) => void;
}) {
  const { page, size, all, table, turn } = props;
  const t = useTranslations('blocks');
  const isFirst = page === 0;
  const isLast = (page + 1) * size >= all;
  // Disabled, a button would lose the focus.
  const button = (by: 1 | -1, isEnd: boolean) => ({
    small: true,
    'aria-controls': table,
    'aria-disabled': isEnd,
    onClick: () => !isEnd && turn(by),
  });
  return (
    <div className={styles.pages}>
      <span role="status">
        {t('rows', { from: page * size + 1, to: Math.min((page + 1) * size, all), all })}
      </span>
      <IconButton label={t('previousRows')} {...button(-1, isFirst)}>
        <ChevronLeft size={18} aria-hidden className={styles.forwards} />
      </IconButton>
      <IconButton label={t('nextRows')} {...button(1, isLast)}>
        <ChevronRight size={18} aria-hidden className={styles.forwards} />
      </IconButton>
    </div>
  );
}

interface Column {
  readonly cell: Cell | undefined;
  readonly align?: Align;
  readonly isWrapped?: boolean;
}

const Head = ({ cell, align, isWrapped, scope = 'col' }: Column & { scope?: 'col' | 'row' }) => (
  <th scope={scope} data-align={align} data-wrapped={isWrapped} dir="auto">
    {cell && <Inside cell={cell} />}
  </th>
);

const Data = ({ cell, align, isWrapped }: Column) => (
  <td
    data-align={align ?? (cell?.type === 'raw_number' ? 'right' : undefined)}
    data-wrapped={isWrapped}
    dir="auto"
  >
    {cell && <Inside cell={cell} />}
  </td>
);

function Inside({ cell }: { cell: Cell }) {
  const format = useFormatter();
  if (cell.type === 'rich_text') return <RichText text={cell} />;
  if (cell.type === 'raw_number') return cell.text ?? format.number(cell.value);
  return cell.text;
}

const places = (count: number) => Array.from({ length: count }, (_, at) => at);
