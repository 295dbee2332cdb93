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

it('no migration has changed since it landed, and each is in the list (claim: frozen-migrations)', () => {
  // `npm run documents` appends a new migration. One that has not landed is first taken out of the file when it changes.
  expect(current).toEqual(frozen);
});

it('migrations are applied in the order in which they landed', () => {
  expect(migrations.map(({ name }) => name)).toEqual(Object.keys(frozen));
});
