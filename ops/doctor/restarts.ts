import { readFileSync } from 'node:fs';
import type { Config } from '../../src/process/config.ts';
import { countProcesses } from '../../src/process/processes.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Whether Linux (5.14 or later) hands the connections that wait at a port which one process closes to another one. */
const HANDS_OVER = '/proc/sys/net/ipv4/tcp_migrate_req';

/** Whether the processes that share a port can be replaced without a connection that is reset. */
export async function checkRestarts(config: Config): Promise<Finding[]> {
  const count = countProcesses(config);
  if (count === 1) return [];
  if (handsOver()) return [ok('restarts', `${count} share the port, and are replaced without a reset.`)];
  return [
    warning(
      'restarts',
      `${count} share the port. While they are replaced, some connections are reset: ` +
        'run "sysctl -w net.ipv4.tcp_migrate_req=1", and keep it in /etc/sysctl.d.',
    ),
  ];
}

function handsOver(): boolean {
  try {
    return readFileSync(HANDS_OVER, 'latin1').trim() === '1';
  } catch {
    // An older kernel, or a container that hides it.
    return false;
  }
}
