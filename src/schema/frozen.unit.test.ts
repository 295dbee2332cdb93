import { expect, it } from 'vitest';
import { checksumOf } from '#platform/db/index.ts';
import frozen from './frozen.json' with { type: 'json' };
import { migrations } from './index.ts';

const current = Object.fromEntries(
  migrations.map((migration) => [
    migration.name,
    { sqlite: checksumOf(migration, 'sqlite'), postgres: checksumOf(migration, 'postgres') },
  ]),
);

it('no migration that was released has changed (claim: frozen-migrations)', () => {
  const names = Object.keys(frozen);
  expect(names.length).toBeGreaterThanOrEqual(9);
  // What a release adds is appended to frozen.json; nothing in it changes.
  expect(Object.fromEntries(names.map((name) => [name, current[name]]))).toEqual(frozen);
});

it('migrations that were released come first, in their order', () => {
  expect(migrations.map(({ name }) => name).slice(0, Object.keys(frozen).length)).toEqual(
    Object.keys(frozen),
  );
});
