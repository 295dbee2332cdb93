import { spawnSync } from 'node:child_process';

/** Whether there is a Python that the client runs on. Tests that need one say so when they are left out. */
export const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

if (!hasPython)
  console.warn(
    'There is no python3 (3.9 or later): the tests and examples of the client for Python are skipped.',
  );
