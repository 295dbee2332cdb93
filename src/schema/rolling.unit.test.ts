import { describe, expect, it } from 'vitest';
import type { ColumnTypes, Migration } from '#platform/db/index.ts';
import { migrations } from './index.ts';

/** A migration after the first one that must not be {@link Migration.rolling}, each with the reason. Its release notes say that all servers stop. */
const APART: Readonly<Record<string, string>> = {};

const types: ColumnTypes = { uuid: 'uuid', int: 'bigint', sortable: 'text' };
const later = migrations.slice(1);

/** What takes something away from the release before, or refuses what it does. */
function contractions(migration: Migration): string[] {
  const statements = migration.up(types, 'postgres').map((sql) => sql.replaceAll(/\s+/g, ' ').trim());
  const made = new Set(statements.flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? []));
  return statements.filter((sql) => {
    const [, table = ''] =
      /^(?:ALTER TABLE|INSERT INTO|UPDATE|DELETE FROM|CREATE UNIQUE INDEX \w+ ON) (\w+)/.exec(sql) ?? [];
    if (/^CREATE (?:TABLE|INDEX) /.test(sql) || made.has(table)) return false;
    const added = /^ALTER TABLE \w+ ADD COLUMN (.*)$/.exec(sql)?.[1];
    return added === undefined || /\b(?:CHECK|UNIQUE|GENERATED)\b/.test(added) || isDemanded(added);
  });
}

/** The release before inserts rows without it. */
const isDemanded = (column: string) => /\bNOT NULL\b/.test(column) && !/\bDEFAULT\b/.test(column);

const of = (...statements: string[]): Migration => ({ name: 'a migration', up: () => statements });

describe('a migration, while servers of the release before run', () => {
  it.each(later.map((migration) => [migration.name, migration] as const))(
    '%s only adds what they need not know',
    (name, migration) => {
      if (APART[name] !== undefined) return expect(migration.rolling).toBeUndefined();
      expect(migration.rolling).toBe(true);
      expect(contractions(migration)).toEqual([]);
    },
  );

  it.each([
    'DROP TABLE teams',
    'ALTER TABLE teams DROP COLUMN name',
    'ALTER TABLE teams RENAME COLUMN name TO title',
    'ALTER TABLE teams ADD COLUMN place bigint NOT NULL',
    'ALTER TABLE teams ADD COLUMN place bigint CHECK (place > 0)',
    'ALTER TABLE teams ADD CONSTRAINT named CHECK (length(name) > 1)',
    'CREATE UNIQUE INDEX one ON teams (name)',
    'DROP INDEX teams_by_name',
    'DELETE FROM teams',
    "UPDATE teams SET name = 'x'",
  ])('may not %s', (sql) => {
    expect(contractions(of(sql))).toEqual([sql]);
  });

  it.each([
    [
      [
        'CREATE TABLE cards (id uuid PRIMARY KEY, url text NOT NULL)',
        'CREATE UNIQUE INDEX one ON cards (url)',
      ],
    ],
    [['CREATE INDEX teams_by_place ON teams (place)']],
    [["ALTER TABLE teams ADD COLUMN place bigint NOT NULL DEFAULT '0'"]],
    [['ALTER TABLE teams ADD COLUMN place bigint']],
  ])('may do %j', (statements) => {
    expect(contractions(of(...statements))).toEqual([]);
  });
});
