import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Reads one line: from a pipe as it is, from a terminal without showing it. */
export async function readPassword(prompt: string): Promise<string> {
  const terminal = process.stdin.isTTY === true;
  if (terminal) process.stderr.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal });
  for await (const line of lines) {
    lines.close();
    if (terminal) process.stderr.write('\n');
    return line;
  }
  return '';
}
