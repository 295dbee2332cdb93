import { existsSync, statSync } from 'node:fs';
import type { Config } from '../../src/process/config.ts';
import { counted } from '../../src/process/counted.ts';
import { databaseFile } from '../../src/process/database.ts';
import { lastOf, listLines, missingOf, pathTo } from '../copy/catalogue.ts';
import { openTarget } from '../copy/start-copy.ts';
import { probe } from '../copy/target.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** A server that copies is not further behind than this. */
const LATE_MS = 60_000;

/** Whether COPY_TO can be written, read and listed, and how old the newest commit there is. */
export async function checkCopy(config: Config): Promise<Finding[]> {
  const { COPY_TO } = config;
  if (COPY_TO === undefined || config.DATABASE_URL !== undefined) return [];
  const target = await openTarget(COPY_TO, config);
  try {
    await probe(target);
    const lines = await listLines(target);
    const path = lines
      .map((line) => pathTo(lines, line, Number.POSITIVE_INFINITY))
      .findLast((one) => one !== undefined);
    const newest = path?.parts.at(-1)?.line;
    const damaged = lines.flatMap((line) => line.damaged);
    const harm = `In ${target.name} ${damaged.join(', ')} is damaged: moments that need it cannot be restored`;
    if (!path && damaged.length > 0)
      return [failed('copy', `${harm}. A server that runs begins a new copy. See what writes there.`)];
    if (!path || !newest)
      return [
        warning('copy', `There is no whole copy in ${target.name} yet: start the server, and look again.`),
      ];
    const missing = missingOf(path, newest.segments.at(-1)?.number ?? 0);
    if (missing !== undefined)
      return [
        failed(
          'copy',
          `${target.name} lacks ${missing}: what follows cannot be restored. A server that runs begins a new copy. ` +
            'See what deletes there.',
        ),
      ];
    if (damaged.length > 0) return [warning('copy', `${harm}. Others can. See what writes there.`)];
    const at = lastOf(newest);
    const text = `The newest commit in ${target.name} is of ${new Date(at).toISOString()}`;
    const behind = writtenAt(config) - at - config.COPY_SECONDS * 1000;
    if (behind > LATE_MS)
      return [
        warning(
          'copy',
          `${text}, and the database was written ${counted(Math.round(behind / 1000), 'second')} later. Is the server running? Look at its log.`,
        ),
      ];
    return [ok('copy', `${text}: nothing is late.`)];
  } catch (error) {
    return [
      failed(
        'copy',
        `${target.name} cannot be used: ${(error as Error).message}. Check COPY_TO, its rights and its keys.`,
      ),
    ];
  } finally {
    await target.close();
  }
}

/** When something was committed last. */
function writtenAt(config: Config): number {
  const log = `${databaseFile(config)}-wal`;
  return existsSync(log) && statSync(log).size > 0 ? statSync(log).mtimeMs : 0;
}
