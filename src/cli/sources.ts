import { existsSync } from 'node:fs';

/** False in a release, a container and the folder of `deploy/assemble.cjs`. */
export const hasSources = existsSync(new URL('../../server.vite.config.ts', import.meta.url));

/** Commands of this program and of `bootstrap.cjs` that exist in a checkout alone. */
export const SOURCE_COMMANDS: readonly string[] = [
  'approval',
  'bench',
  'build',
  'demo',
  'example',
  'openapi',
  'poll',
  'release',
  'routes',
  'sdk',
  'standup',
  'test',
];
