import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it('a list of tasks holds no formulas and no broken rows', () => {
  const task = { id: 1, team: 't', done: 0, object_id: 'o' };
  const text = csvOf(
    [
      { ...task, title: '=HYPERLINK("https://evil.example")' },
      { ...task, title: 'one, two\nthree', done: 1 },
      { ...task, title: 'unknown', object_id: 'gone' },
    ],
    new Set(['o']),
  );
  expect(text).toBe(
    '"title","state","object"\r\n"\'=HYPERLINK(""https://evil.example"")","open","o"\r\n' +
      '"one, two\nthree","done","o"\r\n"unknown","open",""\r\n',
  );
});
