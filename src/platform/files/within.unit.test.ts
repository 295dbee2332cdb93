import { expect, it } from 'vitest';
import { isWithin } from './within.ts';

it.each([
  ['/srv/backup', '/srv/backup', true],
  ['/srv/backup/a.zip', '/srv/backup/', true],
  ['/srv/backup/..a/b', '/srv/backup', true],
  ['/srv/backup-uploads/a', '/srv/backup', false],
  ['/srv', '/srv/backup', false],
  ['/srv/backup/../other', '/srv/backup', false],
])('%s is within %s: %s', (path, folder, expected) => {
  expect(isWithin(path, folder)).toBe(expected);
});
