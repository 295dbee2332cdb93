import { asTransaction, type Tx } from '../../src/platform/db/database.ts';

/** Stands for a database: finds one row wherever it is asked, and remembers the tables of the statements. */
export class Recording {
  readonly read = new Set<string>();
  readonly written = new Set<string>();
  readonly row: object;
  readonly tx: Tx;

  constructor(id: string) {
    this.row = new Proxy({}, { get: (_, name) => columnOf(String(name), id) });
    this.tx = asTransaction({
      dialect: 'sqlite',
      all: async <Row>(sql: string) => {
        this.#note(sql);
        return [this.row as Row];
      },
      afterCommit: () => undefined,
      gather: () => undefined,
    });
  }

  #note(sql: string): void {
    for (const [, table] of sql.matchAll(/\b(?:insert into|update|delete from) "?(\w+)"?/gi)) {
      this.written.add(table as string);
    }
    for (const [, table] of sql.matchAll(/(?<!delete )\b(?:from|join) "?(\w+)"?/gi))
      this.read.add(table as string);
  }
}

/** The value of each column of the row, chosen so that each branch reaches its statements. */
function columnOf(name: string, id: string): unknown {
  if (name === 'then') return undefined;
  if (name === 'deleted_at') return null;
  if (name === 'variant') return 'original';
  if (name.endsWith('_at')) return 0;
  if (name.endsWith('_json')) return JSON.stringify([id]);
  return id;
}
