import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { install, makeTeam, register, signUp } from '../support/people.ts';
import { root } from '../support/process.ts';
import { scene } from '../support/scene.ts';
import { compile, newProject, npmsNode } from '../support/sdk.ts';

const { server, host } = scene();

/** What a browser does with the address of the authorization endpoint, when the person agrees. @returns where it is sent */
async function agree(client: Awaited<ReturnType<typeof signUp>>['client'], url: string, team: string) {
  const asked = Object.fromEntries(new URL(url).searchParams);
  const scopes = asked.scope?.split(' ') ?? [];
  const answer = await client.post('/v1/oauth2/consent', { ...asked, team, scopes, decision: 'allow' });
  return answer.data[0].url as string;
}

it('the packed SDK in an empty project: its types hold without others, and it signs in, reads, posts and uploads', async () => {
  const ada = await signUp(server, 'Ada');
  const team = await makeTeam(ada, [await signUp(server, 'Bob')]);
  const application = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, application);

  const folder = newProject();
  const { dependencies, version, engines } = JSON.parse(
    readFileSync(join(folder, 'node_modules/parley-sdk/package.json'), 'utf8'),
  );
  expect([dependencies, engines]).toEqual([undefined, { node: '>=20' }]);
  expect(version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);

  // Of its declarations, nothing needs the types of Node.js or of browsers.
  writeFileSync(join(folder, 'bare.ts'), "export { ParleyApplication } from 'parley-sdk';\n");
  expect(compile(folder, { noEmit: true })).toBe('');

  cpSync(join(root, 'test/fixtures/sdk-consumer.ts.txt'), join(folder, 'consumer.ts'));
  expect(compile(folder, { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] })).toBe('');
  const child = spawn(npmsNode, ['consumer.js'], {
    cwd: folder,
    env: {
      BASE_URL: server.url,
      ISSUER: server.running.url,
      CLIENT_ID: application.id,
      CLIENT_SECRET: application.secret,
      REDIRECT_URI: application.redirectUri,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.length === 1) child.stdin.end(`${await agree(ada.client, line, team)}\n`);
  }
  expect(JSON.parse(lines[1] ?? 'null')).toEqual({
    me: ada.id,
    active: true,
    refreshed: true,
    again: true,
    pages: ['one', 'two', 'three'],
    found: ['three'],
    replies: ['an answer', 'with a file'],
    file: 'Flour, butter, salt',
    versions: ['one'],
    read: 'uno',
    highFives: [1, [ada.id], 0],
    gone: '',
    objects: ['Another task', '/tasks/1'],
    code: 4040,
    people: 1,
    members: 2,
    itself: ['application', 'by itself', true],
  });
  rmSync(folder, { recursive: true });
});

/** A project's own kind of modules, and how its compiler finds those of others. */
it.each([
  ['commonjs', 'typescript-5', { module: 'commonjs', moduleResolution: 'node10' }],
  ['commonjs', 'typescript-5', { module: 'node16' }],
  ['module', 'typescript-5', { module: 'node16' }],
  ['commonjs', 'typescript', { module: 'node16' }],
  ['module', 'typescript', { module: 'node16' }],
  ['commonjs', 'typescript', { module: 'nodenext' }],
  ['module', 'typescript', { module: 'nodenext' }],
  ['commonjs', 'typescript', { module: 'commonjs', moduleResolution: 'bundler' }],
  ['module', 'typescript', { module: 'esnext', moduleResolution: 'bundler' }],
])('the packed SDK compiles and runs in a project of %s with %s and %j', (type, compiler, options) => {
  const folder = newProject();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type }));
  writeFileSync(
    join(folder, 'program.ts'),
    [
      "import { blocks, ParleyApplication, ParleyError } from 'parley-sdk';",
      "import type { Message } from 'parley-sdk';",
      "const app = new ParleyApplication({ baseUrl: 'http://localhost', clientId: 'a', clientSecret: 'b' });",
      'export const textOf = ({ text }: Message): string => text;',
      '// @ts-expect-error: the types are there.',
      'app.nothing;',
      "app.action(/^vote-/, async ({ value, respond }) => respond.replace({ blocks: [blocks.header(value ?? '')] }));",
      '// @ts-expect-error: blocks know their shapes.',
      "blocks.header(blocks.mrkdwn('*x*'));",
      'declare const console: { log(...all: unknown[]): void };',
      'console.log(app instanceof ParleyApplication, new ParleyError(404, []) instanceof Error);',
      "console.log(JSON.stringify(blocks.actions(blocks.button('Yes', { action_id: 'yes' }))));",
    ].join('\n'),
  );
  expect(compile(folder, options, compiler)).toBe('');
  expect(execFileSync(npmsNode, ['program.js'], { cwd: folder, encoding: 'utf8' })).toBe(
    'true true\n{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"Yes"},"action_id":"yes"}]}\n',
  );
  rmSync(folder, { recursive: true });
});

it('the packed SDK is one to import and to require', () => {
  const folder = newProject();
  const program =
    "import('parley-sdk').then((one) => console.log(one.ParleyUser === require('parley-sdk').ParleyUser))";
  expect(execFileSync(npmsNode, ['-e', program], { cwd: folder, encoding: 'utf8' })).toBe('true\n');
  rmSync(folder, { recursive: true });
});
