import { spawn } from 'node:child_process';
import { existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readableLine } from '../../src/process/log-line.ts';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { compiled, freePort, main, startPlatform, startProgram } from '../support/process.ts';

let data: string;
beforeEach(() => {
  data = join(newFolder(), 'data');
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const start = async (settings: NodeJS.ProcessEnv) =>
  startPlatform({ DATA_DIR: data, PORT: String(await freePort()), LOG_LEVEL: 'info', ...settings });

describe('a start', () => {
  it('speaks to a person: where to go, where data is, how to stop (claim: start-speaks)', async () => {
    const first = await start({ LOG_FORMAT: 'text' });
    await first.end('SIGINT');
    expect(first.output()).toMatch(/This server is new\. Open this link [\s\S]+ {4}http:\S+\/set-up#\S+\n/);
    expect(first.output()).toMatch(/Data: +\/\S+\/data\n[\s\S]+Stop: +Ctrl-C\n/);
    expect(first.output()).toContain('Stopping: requests under way are finished first.');
    const second = await start({ LOG_FORMAT: 'text' });
    const client = new Client(second.found.replace('localhost', '127.0.0.1'));
    const person = { email: 'a@example.org', password: 'a long password', first_name: 'A', last_name: '' };
    expect((await client.post('/v1/users', person)).status).toBe(200);
    await second.end('SIGINT');
    expect(second.output()).toMatch(/\n\d\d:\d\d:\d\d {2}POST {2}\/v1\/users {2}200 {2}[\d.]+ ms\n/);
    const third = await start({ LOG_FORMAT: 'text' });
    await third.end('SIGINT');
    expect(third.output()).toContain(`Open it in your browser:  ${third.found}\n`);
    expect(third.output()).not.toContain('This server is new');
    for (const { output } of [first, second, third]) expect(output()).not.toMatch(/[{}]/);
  });

  it('speaks to programs where there is no terminal: each line is JSON (claim: start-json)', async () => {
    for (const settings of [{ LOG_LEVEL: 'info' }, { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }]) {
      const platform = await start(settings);
      expect(await platform.end('SIGTERM')).toBe(0);
      const lines = platform.output().trimEnd().split('\n');
      const messages = lines.map((line) => JSON.parse(line).msg);
      expect(messages).toContainEqual(expect.stringContaining('Parley is ready at http'));
      expect(messages).toContainEqual(expect.stringMatching(/This server is new.+http:\S+\/set-up#\S+$/));
    }
  });
});

it('a server that is ended before it has said that it is ready ends in order (claim: ended-early)', async () => {
  const settings = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: data, LOG_LEVEL: 'info' };
  const program = await startProgram([main, 'start'], settings, /Server listening at/);
  expect(await program.end('SIGTERM')).toBe(0);
});

describe.runIf(existsSync('/dev/full'))('a log for which there is no room', () => {
  /** Starts the program with a standard output that is always full. */
  const run = (settings: NodeJS.ProcessEnv) => {
    const { PATH } = process.env;
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'start'], {
      env: { PATH, ...compiled, DATA_DIR: data, HOST: '127.0.0.1', ...settings },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
    });
    return { child, ended: new Promise<number | null>((resolve) => child.once('exit', resolve)) };
  };

  it.each(['json', 'text'])('neither stops nor holds a server: %s', async (LOG_FORMAT) => {
    const PORT = String(await freePort());
    const { child, ended } = run({ PORT, LOG_FORMAT });
    const alive = async () => (await fetch(`http://127.0.0.1:${PORT}/healthz`)).status;
    await expect.poll(() => alive().catch(() => 0), { timeout: 20_000 }).toBe(200);
    for (let times = 0; times < 5; times++) expect(await alive()).toBe(200);
    child.kill('SIGTERM');
    // A signal that comes before it is ready ends it at once, without a code.
    expect([0, null]).toContain(await ended);
  });

  it('is a line on the side of a command, not a stack', async () => {
    const { PATH } = process.env;
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, '--version'], {
      env: { PATH, ...compiled },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (chunk) => (said += chunk));
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1);
    expect(said).toMatch(/^The output could not be written: ENOSPC.*\n$/);
  });

  it('does not keep a refused start from ending', async () => {
    expect(await run({ PORT: '0', HOST: '192.0.2.1' }).ended).toBe(1);
  });
});

it('a line for a person has nothing in it that a terminal obeys', () => {
  const err = { message: 'x', stack: 'Error: a\u001b[2Jb\n    at c\u0007' };
  const record = { level: 50, time: 0, msg: 'evil\u001b]0;x\u0007\n\u202eline', name: '\u001b[1m', err };
  const line = readableLine(JSON.stringify(record));
  expect(line.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(line).toMatch(
    /^\d\d:\d\d:\d\d {2}error: {2}evil ]0;x line {2}name= \[1m\n +Error: a \[2Jb\n +at c \n$/,
  );
});
