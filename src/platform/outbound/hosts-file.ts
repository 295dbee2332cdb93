import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export const HOSTS_FILE =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';

type Names = ReadonlyMap<string, readonly string[]>;

/** The names that this machine's hosts file knows. It is read again when it has changed. */
export function hostsFile(path: string) {
  let state = '';
  let names: Names = new Map();

  return async function addressesOf(name: string): Promise<readonly string[] | undefined> {
    const now = await stat(path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => 'none',
    );
    if (now !== state) {
      names = parse(await readFile(path, 'utf8').catch(() => ''));
      state = now;
    }
    return names.get(name);
  };
}

/** Lines of an address and names, as hosts(5) describes them. */
function parse(text: string): Names {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...others] = (line.split('#', 1)[0] as string).trim().split(/\s+/);
    for (const name of others) {
      const known = names.get(name.toLowerCase());
      if (known) known.push(address as string);
      else names.set(name.toLowerCase(), [address as string]);
    }
  }
  return names;
}
