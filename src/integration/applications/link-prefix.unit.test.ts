import { expect, it } from 'vitest';
import { isBelow, readLinkPrefix } from './link-prefix.ts';

const TASKS = 'https://a.example/tasks';

it.each([
  ['https://a.example/tasks', TASKS],
  ['https://a.example/tasks/', TASKS],
  ['https://a.example/tasks/1?x=1#y', TASKS],
  ['https://a.example/tasks?x=/other', TASKS],
  ['https://a.example/tasks/1', `${TASKS}/`],
  ['https://a.example/tasks', `${TASKS}/`],
  ['HTTPS://A.Example:443/tasks/1', TASKS],
  ['https://a.example/other/../tasks/1', TASKS],
  ['https://a.example/tasks/feature%2Fone', TASKS],
  ['https://a.example', 'https://a.example/'],
  ['https://a.example?x', 'https://a.example/'],
  ['https://a.example/any/thing', 'https://a.example/'],
  ['https://bücher.example/1', 'https://xn--bcher-kva.example/'],
  ['http://localhost:3001/1', 'http://localhost:3001/'],
])('%s is below %s', (link, prefix) => {
  expect(isBelow(link, prefix)).toBe(true);
});

it.each([
  ['https://a.example.evil/tasks/1', TASKS],
  ['https://evil.a.example/tasks/1', TASKS],
  ['https://a.example@evil.example/tasks/1', TASKS],
  ['https://evil.example@a.example/tasks/1', TASKS],
  ['https://:secret@a.example/tasks/1', TASKS],
  ['https://a.example:8443/tasks/1', TASKS],
  ['http://a.example/tasks/1', TASKS],
  ['https://a.example./tasks/1', TASKS],
  ['https://a.example/tasks-old/1', TASKS],
  ['https://a.example/Tasks/1', TASKS],
  ['https://a.example/', TASKS],
  ['https://a.example/tasks/../other', TASKS],
  ['https://a.example/tasks/%2e%2e/other', TASKS],
  ['https://a.example/tasks\\..\\other', TASKS],
  ['https://a.example\\@evil.example/tasks', 'https://a.example/'],
  ['https://a.example\\.evil.example/tasks', 'https://a.example/'],
  ['https://a.example/tasks/1\\@evil.example', TASKS],
  ['https://a.example/tasks/..%2fother', TASKS],
  ['https://a.example/tasks/%2e%2e%5Cother', TASKS],
  ['https://a.example/tasks%2f1', TASKS],
  ['https://a.example//tasks/1', TASKS],
  ['https://a.example/other?/tasks/1', TASKS],
  ['https://a.example/#/tasks/1', TASKS],
  ['https:/tasks', TASKS],
  ['not a link', TASKS],
  ['data:text/plain,1', 'data:text/plain,1'],
])('%s is not below %s', (link, prefix) => {
  expect(isBelow(link, prefix)).toBe(false);
});

it('keeps a prefix in one form', () => {
  const read = (text: string) =>
    readLinkPrefix(text, { allowLoopback: false, origin: 'https://chat.example' });
  expect(read('HTTPS://A.example:443/x/../tasks')).toEqual({ ok: true, href: TASKS });
  expect(read('https://a.example')).toEqual({ ok: true, href: 'https://a.example/' });
});

it.each([
  'https://a.example/?',
  'https://a.example/?x=1',
  'https://a.example/#x',
  'https://me@a.example/',
  'https://a.example/a%2fb',
  'https://a.example/a%5Cb',
  'https://a.example\\tasks',
  'https://bücher.example/',
  'http://a.example/',
  'http://localhost:3001/',
  'ftp://a.example/',
  'a.example',
  '',
])('refuses the prefix %s', (text) => {
  expect(readLinkPrefix(text, { allowLoopback: false, origin: 'https://chat.example' }).ok).toBe(false);
});
