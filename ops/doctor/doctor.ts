import { doubtfulNames, faultsOf, readConfig } from '../../src/process/config.ts';
import { print, printable } from '../../src/process/printable.ts';
import { version } from '../../src/process/version.ts';
import { checkCopy } from './copy.ts';
import { checkDatabase } from './database.ts';
import { type Finding, failed, ok, warning } from './finding.ts';
import { checkFolder } from './folder.ts';
import { checkAddress, checkMail, checkUploads } from './network.ts';
import { checkRestarts } from './restarts.ts';
import type { Rules } from './rules.ts';

/** Looks at everything that a server needs, changes nothing, and says what to do. */
export async function examine({ json }: { json?: boolean }, rules: Rules): Promise<void> {
  const findings = (await lookAtAll(rules)).map((one) => ({ ...one, text: printable(one.text) }));
  const healthy = findings.every(({ result }) => result !== 'failed');
  if (json === true) print(JSON.stringify({ healthy, version, checks: findings }));
  else
    for (const { result, check, text } of findings) print(`${result.padEnd(7)}  ${check.padEnd(8)}  ${text}`);
  process.exitCode = healthy ? 0 : 1;
}

async function lookAtAll(rules: Rules): Promise<Finding[]> {
  const faults = faultsOf(process.env);
  if (faults.length > 0)
    return faults.map((fault, index) =>
      failed('settings', index < faults.length - 1 ? fault : `${fault} The rest was not checked.`),
    );
  const config = readConfig(process.env);
  const doubts = [...config.warnings, ...doubtfulNames(process.env)];
  const settings =
    doubts.length === 0
      ? [ok('settings', 'They fit together.')]
      : doubts.map((text) => warning('settings', text));
  const checks = {
    database: checkDatabase,
    folder: checkFolder,
    mail: checkMail,
    uploads: checkUploads,
    copy: checkCopy,
    address: checkAddress,
    restarts: checkRestarts,
  };
  const found = await Promise.all(
    Object.entries(checks).map(([name, check]) =>
      // One check that breaks off hides no other.
      check(config, rules).catch((error: Error) => [
        failed(name, `It could not be checked: ${error.message}`),
      ]),
    ),
  );
  return [...settings, ...found.flat()];
}
