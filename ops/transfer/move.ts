import { resolve } from 'node:path';
import { type Config, ConfigError, readConfig } from '../../src/process/config.ts';
import { counted } from '../../src/process/counted.ts';
import { databaseFile, hasFile } from '../../src/process/database.ts';
import { filesFolder } from '../../src/process/files.ts';
import { print } from '../../src/process/printable.ts';
import { Refusal } from '../../src/process/refusal.ts';
import { openFile } from './file.ts';
import { openPostgres } from './postgres.ts';
import type { Side } from './side.ts';
import { tablesBoth } from './tables.ts';
import { digestOf, isDone, transferTable } from './transfer-table.ts';

/** Copies the database of the settings to another one, and proves that both are the same. @param options.to where */
export async function move(options: { to: string }): Promise<void> {
  const config = readConfig(process.env);
  const target = await ofTarget(() => targetOf(options.to, config));
  const source = await openSource(config);
  try {
    await refuseUsed(source);
    const arriving = await ofTarget(() => openTarget(target));
    try {
      await refuseUsed(arriving);
      await arriving.begin(source.name);
      await transferAll(source, arriving);
      // Writers that wait go on when the source is released. A source whose lock was lost does not answer any more.
      await refuseUsed(source);
      await source.tables();
      await arriving.finish();
      print(`Everything is in ${arriving.name}; ${source.name} is as it was.`);
    } finally {
      await arriving.close();
    }
  } finally {
    await source.close();
  }
  for (const line of whatNext(config, target)) print(line);
}

/** Settings of which only the database differs. */
function targetOf(to: string, config: Config): Config {
  if (/^postgres(ql)?:\/\//.test(to))
    return readConfig({
      ...process.env,
      DATABASE_URL: to,
      DATABASE_LISTEN_URL: '',
      DATABASE_REPLICA_URL: '',
      // It copies the source.
      COPY_TO: '',
    });
  // One letter is a drive of Windows.
  if (/^[a-z][a-z0-9+.-]+:/i.test(to)) throw new Refusal('--to takes postgres://… or a folder.');
  const folder = resolve(to);
  if (config.DATABASE_URL === undefined && folder === resolve(config.DATA_DIR))
    throw new Refusal(`${folder} is where the database is already.`);
  return { ...config, DATABASE_URL: undefined, DATA_DIR: folder };
}

/** Sentences about a target name the option by which it was given, not the setting of a server that would use it. */
async function ofTarget<T>(work: () => T): Promise<Awaited<T>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { message } = error;
    throw new ConfigError(
      message.replaceAll('set DATABASE_LISTEN_URL to', 'give it').replaceAll('DATABASE_URL', '--to'),
    );
  }
}

function openSource(config: Config): Promise<Side> {
  if (config.DATABASE_URL !== undefined) return openPostgres(config, config.DATABASE_URL, false);
  if (!hasFile(config)) throw new Refusal(`There is no database ${databaseFile(config)} to move.`);
  return openFile(config, false);
}

const openTarget = (config: Config) =>
  config.DATABASE_URL === undefined
    ? openFile(config, true)
    : openPostgres(config, config.DATABASE_URL, true);

async function refuseUsed(side: Side): Promise<void> {
  const users = await side.users();
  if (users.length > 0)
    throw new Refusal(
      `${side.name} is in use (${users.join(', ')}). Stop the servers and what else uses it: what they store meanwhile would be lost.`,
    );
}

/** Copies all tables, and compares them. @throws Refusal when one differs */
export async function transferAll(source: Side, target: Side): Promise<void> {
  const all = await tablesBoth(source, target);
  for (const table of all) {
    const isResumed = await isDone(target, table);
    if (!isResumed) await transferTable(source, target, table);
    print(`${table.name}: ${isResumed ? 'was copied before' : 'copied'}`);
  }
  await target.restoreKeys();
  let rows = 0;
  for (const table of all) {
    const [here, there] = [await digestOf(source, table), await digestOf(target, table)];
    if (here.rows !== there.rows || here.digest !== there.digest)
      throw new Refusal(
        `${table.name} differs: ${counted(here.rows, 'row')} in ${source.name}, ${there.rows} in ${target.name}. Was the source used since ` +
          'the move began? Empty the target, and begin again.',
      );
    if (here.rows > 0)
      print(
        `${table.name}: ${counted(here.rows, 'row')}, the same in both (SHA-256 ${here.digest.slice(0, 16)})`,
      );
    rows += here.rows;
  }
  print(`${counted(rows, 'row')} in ${counted(all.length, 'table')} are the same in both.`);
}

function whatNext(config: Config, target: Config): string[] {
  const search = 'Search finds everything a moment after the start.';
  const uploads =
    config.S3_BUCKET === undefined
      ? `Uploads stay in ${filesFolder(config)}.`
      : `Uploads stay in the bucket ${config.S3_BUCKET}.`;
  if (target.DATABASE_URL !== undefined) {
    const key =
      config.ENCRYPTION_KEY === undefined
        ? ` Keep encryption.key and cookie.key of ${config.DATA_DIR}: without them applications and sessions are lost.`
        : '';
    const copy = config.COPY_TO === undefined ? '' : 'remove COPY_TO, ';
    return [`Set DATABASE_URL to it, ${copy}and start the server. ${uploads}${key}`, search];
  }
  const settings = `emove DATABASE_URL, set DATA_DIR=${target.DATA_DIR}, and start the server.`;
  const left = resolve(config.DATA_DIR) === target.DATA_DIR ? [] : leftBehind(config);
  if (left.length === 0) return [`R${settings} ${uploads}`, search];
  return [
    `Copy ${left.join(', ')} from ${resolve(config.DATA_DIR)} to ${target.DATA_DIR}.`,
    `Then r${settings} Without the keys applications and sessions are lost, without the files uploads.`,
    search,
  ];
}

/** The files of the former data folder beside the database. */
const leftBehind = ({ S3_BUCKET, ENCRYPTION_KEY, COOKIE_KEY }: Config): string[] => [
  ...(ENCRYPTION_KEY === undefined ? ['encryption.key'] : []),
  ...(COOKIE_KEY === undefined ? ['cookie.key'] : []),
  ...(S3_BUCKET === undefined ? ['the folder files'] : []),
];
