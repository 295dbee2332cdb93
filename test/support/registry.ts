import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { root } from './process.ts';

const { packed } = createRequire(import.meta.url)('../../deploy/tape.cjs');

/** An npm registry that has the packages that are installed here, and no others. @returns its address, and what ends it */
export async function startRegistry(): Promise<{ url: string; asked: string[]; stop(): void }> {
  const asked: string[] = [];
  const tarballs = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const tarball = tarballs.get(path);
    if (tarball) return response.end(tarball);
    asked.push(path);
    const folder = join(root, 'node_modules', path);
    if (!existsSync(join(folder, 'package.json'))) return response.writeHead(404).end('{}');
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const made: Buffer = packed(filesOf(folder), 0, 1);
    const file = `${path}/-/${manifest.version}.tgz`;
    tarballs.set(file, made);
    const integrity = `sha512-${createHash('sha512').update(made).digest('base64')}`;
    const dist = { tarball: `${url}${file}`, integrity };
    response.end(
      JSON.stringify({
        name: path,
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: { ...manifest, dist } },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    asked,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function filesOf(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [relative(folder, file), readFileSync(file)]));
}
