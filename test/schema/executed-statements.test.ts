import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { executedStatements } from '../support/executed.ts';

/** Statements for SQLite alone, those that a queue does not use, and those that still await a test. Only gets shorter. */
const known = JSON.parse(
  readFileSync(new URL('../fixtures/unexecuted-statements.json', import.meta.url), 'utf8'),
) as string[];

/**
 * A project of its own, after `postgres`. Not every file runs on both databases, so this is what proves that PostgreSQL
 * was asked each statement of the sources.
 */
it('every statement ran on PostgreSQL', () => {
  const { unloaded, missing, count } = executedStatements(process.env.STATEMENTS_FOLDER ?? '');
  expect(unloaded, 'files whose statements no test of the project postgres has loaded').toEqual([]);
  const news = missing.filter((text) => !known.includes(text));
  expect(news, 'statements that no test of the project postgres has run').toEqual([]);
  expect(count).toBeGreaterThan(known.length);
});
