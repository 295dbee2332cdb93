/**
 * A migration is changed after its release, in the program or by starting a changed program on the database once.
 * Program and database then disagree silently, and what follows breaks or loses data. Each migration leaves a checksum
 * of its statements in the database. A program whose statements differ refuses to start, and changes nothing.
 */
import { afterEach, expect, it } from 'vitest';
import { checksumOf, type Migration, migrate } from '../../src/platform/db/index.ts';
import { migrations } from '../../src/schema/index.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { runSql } from '../support/tables.ts';

let server: TestServer;
afterEach(() => server.stop());

const released = migrations[0] as Migration;
const edited: Migration = {
  ...released,
  up: (types, dialect) => [...released.up(types, dialect), 'CREATE TABLE sneaked_in (id integer)'],
};

it('a program with an edited migration refuses a database that the released one made', async () => {
  server = await startTestServer();
  const { db } = server.running;
  const changed = migrations.with(0, edited);
  await expect(migrate(db, changed, 0)).rejects.toThrow(
    'The database was made with migration 0001-initial in another form',
  );
  await expect(runSql(db, 'SELECT * FROM sneaked_in', [])).rejects.toThrow();
  expect(await migrate(db, migrations, 0)).toEqual([]);
});

it('a database that an edited program made is refused by the released one', async () => {
  server = await startTestServer();
  const { db } = server.running;
  await runSql(db, 'UPDATE schema_migrations SET checksum = ? WHERE version = 1', [
    checksumOf(edited, db.dialect),
  ]);
  await expect(migrate(db, migrations, 0)).rejects.toThrow('restore a backup that a release made');
});
