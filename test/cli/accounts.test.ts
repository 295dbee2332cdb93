import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, type Program, runBinary, startPlatform } from '../support/process.ts';

const sqlite = process.env.TEST_DATABASE === 'sqlite';
const password = 'a long password';
let folder: string;
let environment: NodeJS.ProcessEnv;
let platform: Program;
let root: Client;
let ada: Client;
let adaId: string;

/** Runs one command. @param input its standard input */
const parley = (args: string[], input = '') => runCommand(args, { cwd: folder, environment, input });

const told = async (action: string) =>
  (await root.get(`/v1/admin/audit?action=${action}`)).data.map(({ actor_kind, target }) => [
    actor_kind,
    target,
  ]);

async function signUp(email: string, first_name: string) {
  const client = new Client(platform.found.replace('localhost', '127.0.0.1'));
  const { data } = await client.post('/v1/users', { email, password, first_name, last_name: '' });
  return { client, id: data[0].id as string };
}

beforeEach(async () => {
  folder = newFolder();
  environment = {
    DATA_DIR: join(folder, 'data'),
    ...(!sqlite && { DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')) }),
  };
  platform = await startPlatform({ ...environment, PORT: String(await freePort()) });
  root = (await signUp('root@example.org', 'Root')).client;
  ({ client: ada, id: adaId } = await signUp('ada@example.org', 'Ada'));
});

afterEach(async () => {
  await platform.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

it('accounts are listed by name, found by a part of it, and described as JSON', async () => {
  const { output, code } = await parley(['user', 'list']);
  expect(code).toBe(0);
  expect(output).toMatch(
    /^[\w-]{36} {2}ada@example\.org {2}Ada\n[\w-]{36} {2}root@example\.org {2}Root {2}superuser\n$/,
  );
  const found = await parley(['user', 'list', '--query', 'ADA@', '--json']);
  expect(JSON.parse(found.output)).toMatchObject({ id: adaId, first_name: 'Ada', active: true });
  expect((await parley(['user', 'list', '--query', '%'])).output).toBe('');
  const huge = await parley(['user', 'list', '--query', 'x'.repeat(100_000)]);
  expect(huge).toEqual({ code: 1, output: '--query takes at most 500 characters.\n' });
  await parley(['user', 'create', 'zed@example.org', '--first-name', 'Ze\u202ed'], password);
  expect((await parley(['user', 'list', '--query', 'zed@'])).output).toMatch(/ {2}Zed\n$/);
  expect(await told('operator.command')).toHaveLength(4);
});

it('an address cannot write to the operator’s terminal', async () => {
  const odd = '\u001b[2J\u009b\u202ex@example.org';
  const refused = await parley(['user', 'create', odd, '--first-name', 'X'], password);
  expect(refused).toEqual({ code: 1, output: 'email: must be an email address.\n' });
  expect((await parley(['user', 'list', '--query', '2J'])).output).toBe('');
});

describe('sessions', () => {
  it('are listed by address or id, and ended', async () => {
    for (const account of ['ADA@example.org', adaId])
      expect(await parley(['user', 'sessions', account])).toEqual({
        code: 0,
        output: expect.stringMatching(
          /^[\w-]{36} {2}last seen 20\d\d-\d\d-\d\dT[\d:.]+Z {2}127\.0\.0\.1 {2}\S+\n$/,
        ),
      });
    expect(await parley(['user', 'sessions', adaId, '--end'])).toEqual({
      code: 0,
      output: 'ada@example.org is signed out everywhere.\n',
    });
    expect((await ada.get('/v1/users/me')).code).toBe(4010);
    expect((await root.get('/v1/users/me')).status).toBe(200);
    expect(await told('account.signed_out')).toEqual([['operator', adaId]]);
    expect((await parley(['user', 'sessions', adaId])).output).toBe(
      'ada@example.org is signed in nowhere.\n',
    );
  });

  it('of nobody are refused with a sentence', async () => {
    const unknown = await parley(['user', 'sessions', 'who@example.org\nroot@example.org']);
    expect(unknown).toEqual({
      code: 1,
      output: 'There is no account with the address who@example.org root@example.org.\n',
    });
    const id = '00000000-0000-7000-8000-000000000000';
    expect((await parley(['user', 'sessions', id, '--end'])).output).toBe(
      `There is no account with the id ${id}.\n`,
    );
  });
});

describe('deleting an account', () => {
  it('asks first, and tells the others as a deletion over HTTP does', async () => {
    const team = (await root.post('/v1/teams', { name: 'Crew' })).data[0];
    const [{ token }] = (await root.post(`/v1/teams/${team.id}/invitations`, { emails: ['ada@example.org'] }))
      .data;
    expect((await ada.put(`/v1/invitations/${token}`)).status).toBe(200);

    const kept = await parley(['user', 'delete', 'ada@example.org'], 'no\n');
    expect(kept).toEqual({ code: 1, output: expect.stringContaining('Nothing was deleted') });
    expect(await parley(['user', 'delete', 'ada@example.org'])).toMatchObject({ code: 1 });
    expect((await ada.get('/v1/users/me')).status).toBe(200);

    expect(await parley(['user', 'delete', 'ada@example.org'], 'yes\n')).toMatchObject({ code: 0 });
    expect((await ada.get('/v1/users/me')).code).toBe(4010);
    expect((await root.get(`/v1/teams/${team.id}`)).data[0].num_members).toBe(1);
    expect(await told('account.deleted')).toEqual([['operator', adaId]]);
    expect(await parley(['user', 'delete', adaId, '--yes'])).toEqual({
      code: 1,
      output: `There is no account with the id ${adaId}.\n`,
    });
    expect((await signUp('ada@example.org', 'Ada')).id).not.toBe(adaId);
  });

  it('is refused, with the reason, for the last administrator and the last admin of a team', async () => {
    const last = await parley(['user', 'delete', 'root@example.org', '--yes']);
    expect(last).toEqual({ code: 1, output: expect.stringContaining('needs an administrator') });
    const team = (await ada.post('/v1/teams', { name: 'Crew' })).data[0];
    const [{ token }] = (await ada.post(`/v1/teams/${team.id}/invitations`, { emails: ['root@example.org'] }))
      .data;
    expect((await root.put(`/v1/invitations/${token}`)).status).toBe(200);
    const alone = await parley(['user', 'delete', adaId, '--yes']);
    expect(alone).toEqual({ code: 1, output: expect.stringMatching(/^ada@example\.org: .*Crew.*\.\n$/) });
    expect((await ada.get('/v1/users/me')).status).toBe(200);
  });

  it('twice at once deletes once', async () => {
    const args = ['user', 'delete', adaId, '--yes'];
    const both = await Promise.all([1, 2].map(() => runBinary(args, { cwd: folder, environment })));
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    for (const { output } of both) expect(output).not.toContain('    at ');
    expect(await told('account.deleted')).toHaveLength(1);
  });
});

describe('invitations', () => {
  it('to a team by its name or id are made in the name of an admin, and their links work', async () => {
    const team = (await ada.post('/v1/teams', { name: 'Crew' })).data[0];
    const { output, code } = await parley(['invite', 'Crew', 'bo@example.org', 'cy@example.org']);
    expect(code).toBe(0);
    expect(output).toContain('Invited to Crew in the name of ada@example.org.\n');
    const tokens = [...output.matchAll(/^\S+@example\.org {2}http\S+\/invitations\/(\S+) {2}/gm)].map(
      ([, token]) => token,
    );
    expect(tokens).toHaveLength(2);
    const bo = await signUp('bo@example.org', 'Bo');
    expect((await bo.client.put(`/v1/invitations/${tokens[0]}`)).status).toBe(200);
    expect((await told('invitation.made')).map(([kind]) => kind)).toEqual(['operator', 'operator']);

    const again = await parley(['invite', team.id, 'cy@example.org', '--admin', '--as', 'ada@example.org']);
    expect(again.output).toContain(`/invitations/${tokens[1]}  `);
    const open = (await ada.get(`/v1/teams/${team.id}/invitations`)).data;
    expect(open).toMatchObject([{ email: 'cy@example.org', membership_type: 1 }]);
  });

  it('are refused with a sentence', async () => {
    await ada.post('/v1/teams', { name: 'Crew' });
    const refused = async (...args: string[]) => {
      const { code, output } = await parley(['invite', ...args]);
      expect(code).toBe(1);
      return output;
    };
    expect(await refused('Nobody', 'bo@example.org')).toBe(
      'There is no team with the name or the id "Nobody".\n',
    );
    expect(await refused('Crew', 'bo@example.org', 'bo@example.org\nBcc: c@example.org')).toContain(
      'is not an email address',
    );
    expect(await refused('Crew', 'ada@example.org')).toContain('ada@example.org: is the address of a member');
    expect(await refused('Crew', 'bo@example.org', '--as', 'root@example.org')).toBe(
      'root@example.org is no admin of Crew: name one with --as.\n',
    );
    await parley(['user', 'deactivate', 'ada@example.org']);
    expect(await refused('Crew', 'bo@example.org', '--as', 'ada@example.org')).toBe(
      'ada@example.org is deactivated, and an invitation of theirs would not work: name another admin.\n',
    );
    expect(await refused('Crew', 'bo@example.org')).toContain('Crew has no admin who can sign in');
    await root.post('/v1/teams', { name: 'Crew' });
    expect(await refused('Crew', 'bo@example.org')).toContain('Several teams have the name "Crew"');
    expect(await told('invitation.made')).toEqual([]);
  });
});
