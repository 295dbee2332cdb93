import { ApiError, readFields } from '#api';
import { Cipher } from '#platform/crypto/index.ts';
import {
  applicationService,
  listAllApplications,
  NewApplication,
} from '../integration/applications/index.ts';
import { emailKey, findUserByEmail, lockActiveUser } from '../people/users/index.ts';
import { loadKeys } from '../process/keys.ts';
import { printable } from './printable.ts';
import { Refusal } from './refusal.ts';
import { print, record, recordCommand, withDatabase, writeAsOperator } from './with-database.ts';

interface CreateOptions {
  owner: string;
  baseUrl: string;
  preinstallUrl: string;
  redirectUri: string[];
  uninstallUrl?: string;
  teamUpdateUrl?: string;
  listed?: boolean;
}

export async function createApplication(name: string, options: CreateOptions): Promise<void> {
  await withDatabase(async (db, config) => {
    const keys = await loadKeys(config, db);
    const owner = await findUserByEmail.first(db, { emailKey: emailKey(options.owner) });
    if (!owner) throw new Refusal(`There is no account with the address ${options.owner}.`);
    const applications = applicationService({
      db,
      clock: Date.now,
      cipher: new Cipher(keys.encryption),
      allowLoopback: config.loopbackApps,
      // It has no icon, and none is shown here.
      baseUrl: () => '',
      publish: async () => undefined,
      lockOwner: (tx, id) => lockActiveUser.first(tx, { id }),
      record,
    });
    const made = await writeAsOperator(db, (tx) =>
      applications.register(
        tx,
        owner.id,
        readFields(NewApplication, {
          name,
          base_url: options.baseUrl,
          preinstall_url: options.preinstallUrl,
          redirect_uris: options.redirectUri,
          uninstall_url: options.uninstallUrl ?? null,
          team_update_url: options.teamUpdateUrl ?? null,
          listed: options.listed ?? false,
        }),
      ),
    ).catch((error: unknown) => {
      throw error instanceof ApiError
        ? new Refusal(`${error.reason ?? 'The application'}: ${error.message}.`)
        : error;
    });
    print(`client_id      ${made.id}\nclient_secret  ${made.client_secret}`);
  });
}

export async function listApplications(): Promise<void> {
  await withDatabase(async (db) => {
    await recordCommand(db, 'application list');
    for (const { id, name, base_url } of await listAllApplications.all(db, {}))
      print(printable(`${id}  ${name}  ${base_url}`));
  });
}
