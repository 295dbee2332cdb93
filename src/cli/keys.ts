import { attribute } from '#api';
import { giveUpEncrypted } from '../app/lost-key.ts';
import { readConfig } from '../process/config.ts';
import { refuseInUse } from '../process/in-use.ts';
import { resetEncryption } from '../process/keys.ts';
import { print } from '../process/printable.ts';
import { Refusal } from '../process/refusal.ts';
import { withDatabase } from '../process/with-database.ts';
import { OPERATOR, record } from './as-operator.ts';

export async function resetKeys(): Promise<void> {
  // A server would go on to encrypt with the key that it has, and what it has acknowledged could not be read afterwards.
  await refuseInUse(readConfig(process.env));
  await withDatabase(async (db, config) => {
    const given = await resetEncryption(db, config, async (tx, cipher) => {
      attribute(tx, OPERATOR);
      await record(tx, { action: 'operator.command', detail: { command: 'keys reset' } });
      return giveUpEncrypted(tx, cipher);
    });
    if (given === undefined)
      throw new Refusal('The encryption key fits this database: there is nothing to reset.');
    print(`The database goes on with the present encryption key. New client secrets: ${given.secrets}.`);
    if (given.secrets > 0)
      print(
        'Owners of applications rotate the secret under Developers to see one; until then calls are refused.',
      );
    print('Kept mails and kept answers are deleted. People sign in as before.');
  });
}
