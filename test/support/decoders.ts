import { readdirSync, readFileSync } from 'node:fs';

/** Other systems do not tell these things in files. */
export const isLinux = process.platform === 'linux';

/** The processes that decode pictures for a server, by their ids. */
export function decodersOf(server: number | undefined): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const status = readOf(pid, 'status');
      return (
        Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) === server &&
        !/^State:\s+Z/m.test(status) &&
        readOf(pid, 'cmdline').includes('decoder.ts')
      );
    });
}

export const isThere = (pid: number) => /^State:\s+[^ZX]/m.test(readOf(pid, 'status'));

/** The most memory that a process ever had, in MiB. */
export const peakOf = (pid: number | undefined) =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readOf(pid, 'status'))?.[1]) / 1024;

/** How long it has used a processor, in hundredths of a second. */
export function ticksOf(pid: number): number {
  const [user, system] = readOf(pid, 'stat').split(') ')[1]?.split(' ').slice(11, 13) ?? [];
  return Number(user) + Number(system);
}

function readOf(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
