import { ApiError, NotFound, readFields } from '#api';
import { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import type { App } from '../app/app.ts';
import {
  applicationService,
  isSuspended,
  listAllApplications,
  NewApplication,
} from '../integration/applications/index.ts';
import { emailKey, findUserByEmail, lockActiveUserAlone } from '../people/users/index.ts';
import { loadKeys } from '../process/keys.ts';
import { print, printable } from '../process/printable.ts';
import { Refusal } from '../process/refusal.ts';
import { withDatabase } from '../process/with-database.ts';
import { record, recordCommand, writeAsOperator } from './as-operator.ts';
import { withServices } from './with-services.ts';

interface CreateOptions {
  owner: string;
  baseUrl?: string;
  preinstallUrl?: string;
  redirectUri?: string[];
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
      renewWebhookKeys: async () => [],
      setInteractionUrl: async () => undefined,
      refuseSubscribed: async () => undefined,
      lockOwner: (tx, id) => lockActiveUserAlone.first(tx, { id }),
      record,
    });
    const made = await writeAsOperator(db, (tx) =>
      applications.register(
        tx,
        owner.id,
        readFields(NewApplication, {
          name,
          base_url: options.baseUrl ?? null,
          preinstall_url: options.preinstallUrl ?? null,
          redirect_uris: options.redirectUri ?? [],
          uninstall_url: options.uninstallUrl ?? null,
          team_update_url: options.teamUpdateUrl ?? null,
          listed: options.listed ?? false,
        }),
      ),
    ).catch((error: unknown) => {
      throw error instanceof ApiError
        ? new Refusal(`${givenAs(error.reason)}: ${error.message.replace(/\.$/, '')}.`)
        : error;
    });
    print(`client_id      ${made.id}\nclient_secret  ${made.client_secret}`);
  });
}

/** The options by the fields that they become. */
const OPTIONS: Readonly<Record<string, string>> = {
  base_url: '--base-url',
  preinstall_url: '--preinstall-url',
  redirect_uris: '--redirect-uri',
  uninstall_url: '--uninstall-url',
  team_update_url: '--team-update-url',
};

/** @param field as `redirect_uris.0` */
const givenAs = (field = 'The application') => OPTIONS[field.replace(/\.\d+$/, '')] ?? field;

/** What is done to an application: it is handed over, put to sleep or woken. */
type Change = (applications: App['services']['applications'], tx: Tx) => Promise<{ name: string }>;

/** Carries a change out by the same rules as over HTTP. @throws Refusal with the reason of the service */
const change = (id: string, work: Change): Promise<string> =>
  withServices(({ applications }, db) =>
    writeAsOperator(db, (tx) => work(applications, tx)).then(
      ({ name }) => printable(name),
      (error: unknown) => {
        if (error instanceof NotFound)
          throw new Refusal(
            `There is no application with the id "${printable(id)}": "application list" shows the ids.`,
          );
        throw error instanceof ApiError ? new Refusal(printable(`${id}: ${error.message}.`)) : error;
      },
    ),
  );

export async function giveApplication(id: string, email: string): Promise<void> {
  const name = await change(id, async (applications, tx) => {
    const owner = await findUserByEmail.first(tx, { emailKey: emailKey(email) });
    if (!owner) throw new Refusal(`There is no account with the address ${printable(email)}.`);
    return applications.giveTo(tx, id, owner.id);
  });
  print(`${name} belongs to ${printable(email)}, and sleeps until they take it over with a new secret.`);
}

export async function suspendApplication(id: string): Promise<void> {
  print(`${await change(id, (applications, tx) => applications.suspend(tx, id))} is suspended.`);
}

export async function wakeApplication(id: string): Promise<void> {
  print(`${await change(id, (applications, tx) => applications.wake(tx, id))} is awake, if its owner is.`);
}

export async function listApplications(): Promise<void> {
  await withDatabase(async (db) => {
    await recordCommand(db, 'application list');
    for (const row of await listAllApplications.all(db, {}))
      print(printable(`${row.id}  ${row.name}  ${row.base_url}${isSuspended(row) ? '  suspended' : ''}`));
  });
}
