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

/** Asks on a terminal, or reads the answer from a pipe. */
export async function askForYes(question: string): Promise<boolean> {
  if (process.stdin.isTTY === true) process.stderr.write(`${question} Type "yes": `);
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line.trim().toLowerCase() === 'yes';
  }
  return false;
}
