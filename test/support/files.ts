import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestServer } from './server.ts';

/** The folder of a server's uploads. */
export function filesFolder(server: TestServer): string {
  return join(String(server.environment.DATA_DIR), 'files');
}

/** The stored files, under any name. */
export function storedFiles(server: TestServer): string[] {
  const folder = filesFolder(server);
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
