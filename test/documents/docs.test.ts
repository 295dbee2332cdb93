import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { signUp } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { compiled, freePort, main } from '../support/process.ts';
import { hasPython } from '../support/python.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const root = new URL('../..', import.meta.url).pathname;

interface Block {
  readonly language: string;
  readonly file: string | undefined;
  /** A program that not every machine has. */
  readonly needs: string | undefined;
  readonly text: string;
}

/** Whether a block can be run here. What is left out is told. */
function isRunnable({ needs }: Block): boolean {
  if (needs === undefined || (needs === 'python3' && hasPython)) return true;
  // The release's own test runs them on the archive that it made.
  if (needs === 'archive' || needs === 'systemd-archive') return false;
  console.warn(`An example that needs ${needs} is left out.`);
  return false;
}

function blocksOf(document: string): Block[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: file=(\S+))?(?: needs=(\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language, file, needs, body]) => ({
      language: language ?? '',
      file,
      needs,
      text: body ?? '',
    }),
  );
}

/**
 * Runs the shell blocks of a document one after the other, as one session, stopping at the first that fails.
 * @param between a line that is run from each block to the next
 */
async function runDocument(
  document: string | readonly string[],
  replace: Record<string, string>,
  environment: NodeJS.ProcessEnv = {},
  between = '',
) {
  const folder = newFolder();
  const adapt = (text: string) =>
    Object.entries(replace).reduce((adapted, [from, to]) => adapted.replaceAll(from, to), text);
  const blocks = [document].flat().flatMap(blocksOf);
  for (const { file, text } of blocks) {
    if (!file) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), adapt(text));
  }
  const script = blocks
    .filter((block) => block.language === 'sh' && isRunnable(block))
    .map(({ text }) => adapt(text));
  const whole = `set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${script.join(`\n${between}\n`)}`;
  const result = await new Promise<{ code: number; output: string }>((resolve) => {
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      BASE_URL: '',
      ...compiled,
      ...environment,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    };
    execFile('bash', ['-c', whole], { cwd: folder, env, timeout: 150_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` }),
    );
  });
  rmSync(folder, { recursive: true, force: true });
  return result;
}

/** Somebody who reads for so long between two blocks that each session has to show its password again. */
async function slowReader({ running: { db } }: TestServer): Promise<{ between: string; close: () => void }> {
  const clock = createServer(async (_, response) => {
    await db.write((tx) => tx.all('UPDATE sessions SET confirmed_at = 0', []));
    response.end();
  });
  const port = await freePort();
  await once(clock.listen(port, '127.0.0.1'), 'listening');
  return { between: `curl -s -f http://127.0.0.1:${port}`, close: () => clock.close() };
}

/** The pages of a folder, in the order in which the table of its first page offers them. */
const pagesOf = (name: string) =>
  [
    ...readFileSync(join(root, `docs/${name}.md`), 'utf8').matchAll(/^\| \[[^\]]+\]\((\w+\/[\w-]+\.md)\)/gm),
  ].map(([, page]) => `docs/${page}`);

describe('every example in the documents', () => {
  let server: TestServer | undefined;
  afterEach(() => server?.stop());

  /** The tours, each with what its end shows. A reader follows them one after another, on one server. */
  const tours: Readonly<Record<string, (account: Record<string, string>, between: string) => Promise<void>>> =
    {
      /** From nothing to an application that posts. */
      'developers.md': async (account, between) => {
        const { code, output } = await runDocument(
          ['docs/developers.md', ...pagesOf('developers')],
          {
            ...{ ...account, '~/parley/': root },
            ...{ 4500: String(await freePort()), 4501: String(await freePort()) },
          },
          { npm_config_audit: 'false', npm_config_fund: 'false' },
          between,
        );
        expect(output).toContain('"text":"Shall we begin?"');
        expect(output).toContain('{0} is done');
        expect(output).not.toContain('refused');
        // Nothing that a reader did by hand comes to a program later.
        expect(output).not.toMatch(/no handler/i);
        expect(code, output).toBe(0);
      },
      /** From nothing to the first event, by a stream and by a webhook. */
      'events.md': async (account, between) => {
        const { code, output } = await runDocument(
          'docs/events.md',
          {
            ...account,
            4600: String(await freePort()),
            4601: String(await freePort()),
          },
          { npm_config_audit: 'false', npm_config_fund: 'false' },
          between,
        );
        expect(output).toContain('somebody said: Good morning');
        expect(code, output).toBe(0);
      },
    };
  const names = Object.keys(tours);

  it.each([
    ['on a new server', names, false],
    ['on a server that is in use, in another order', names.toReversed(), true],
  ])('the tours, one after another %s', async (_, order, inUse) => {
    server = await startTestServer({
      ...{ REGISTRATION: 'invite', HOST: 'localhost', CONFIRMATION_LIFETIME: '600' },
    });
    const account: Record<string, string> = { 'http://localhost:3000': server.running.url };
    if (inUse) {
      const { email } = await signUp(server, 'Kit');
      account['EMAIL=ada@example.org'] = `EMAIL=${email}`;
      account["PASSWORD='a long password'"] = "PASSWORD='a password of length'";
    }
    const reader = await slowReader(server);
    for (const name of order) await tours[name]?.(account, reader.between);
    reader.close();
  });

  it('a tour with the wrong password says so, and ends', async () => {
    server = await startTestServer({ REGISTRATION: 'invite', HOST: 'localhost' });
    await signUp(server, 'Kit');
    for (const document of ['docs/developers.md', 'docs/events.md']) {
      const { code, output } = await runDocument(
        document,
        {
          'http://localhost:3000': server.running.url,
        },
        { npm_config_audit: 'false', npm_config_fund: 'false' },
      );
      expect([document, code, output]).toEqual([document, 1, expect.stringContaining('invitation_needed')]);
      expect(output).not.toContain('    at ');
    }
  });

  it('operations: the commands of all pages, beside a running server', async () => {
    const target = newFolder();
    const isSqlite = process.env.TEST_DATABASE === 'sqlite';
    server = await startTestServer(isSqlite ? { COPY_TO: target } : {});
    if (isSqlite)
      await until(() =>
        readdirSync(target, { encoding: 'utf8', recursive: true }).some((name) => /\bwhole$/.test(name)),
      );
    const { DATA_DIR, DATABASE_URL } = server.environment;
    const copy = `${DATA_DIR}-restored`;
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    cpSync(DATA_DIR as string, copy, { recursive: true });
    // A restore replaces the database of a folder, and fills an empty one of PostgreSQL.
    const empty = DATABASE_URL && (await createDatabase(inject('postgresUrl')));
    const apart = `DATA_DIR=${copy}${empty ? ` DATABASE_URL='${empty}'` : ''}`;
    const command = `node --disable-warning=ExperimentalWarning ${main}`;
    const { code, output } = await runDocument(
      pagesOf('operations'),
      {
        // PostgreSQL has tools of its own for this: there the command refuses.
        'node bootstrap.cjs restore --from /mnt/parley-copy --at 2026-11-23T10:15:00Z': `${isSqlite ? '' : '! '}DATA_DIR=${copy}-moment ${command} restore --from ${target} --at ${soon}`,
        'node bootstrap.cjs restore': `${apart} ${command} restore`,
        'node bootstrap.cjs': command,
      },
      { DATA_DIR, ...(DATABASE_URL && { DATABASE_URL }) },
    );
    for (const one of [copy, `${copy}-moment`, target]) rmSync(one, { recursive: true, force: true });
    expect(code, output).toBe(0);
    expect(output).toContain('Made the account ops@example.org');
    expect(output).toContain('can be restored');
    expect(output.match(/^Restored/gm)).toHaveLength(isSqlite ? 2 : 1);
  });
});
