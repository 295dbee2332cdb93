import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ApplicationHost,
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const PASSWORD = 'a password of length';
let server: TestServer;
let root: Person;
let ada: Person;

beforeEach(async () => {
  server = await startTestServer({}, { housekeepingMs: 100 });
  root = await signUp(server, 'Root');
  ada = await signUp(server, 'Ada');
});
afterEach(() => server.stop());

/** The actions, the oldest first. */
async function actions(query = ''): Promise<string[]> {
  const { data } = await root.client.get(`/v1/admin/audit?limit=200&${query}`);
  return data.map((entry) => entry.action).reverse();
}

const signIn = (email: string, password: string) =>
  server.anonymous().post('/v1/sessions', { email, password });

/** A session does not outlive the time that the test lets pass. */
async function signInAgain(person: Person): Promise<Person> {
  const client = server.anonymous();
  await client.post('/v1/sessions', { email: person.email, password: PASSWORD });
  return { ...person, client };
}

describe('the audit log', () => {
  it('tells what was done to accounts, by whom, and from where', async () => {
    await signIn(ada.email, PASSWORD);
    await ada.client.post('/v1/users/me/password', { current: PASSWORD, password: 'another password' });
    expect(await actions(`target=${ada.id}`)).toEqual([
      'account.created',
      'sign_in.succeeded',
      'password.changed',
    ]);
    const { data } = await root.client.get(`/v1/admin/audit?target=${ada.id}&action=password.changed`);
    expect(data[0]).toMatchObject({
      actor: ada.id,
      actor_kind: 'user',
      target: ada.id,
      target_kind: 'user',
      team: null,
      address: '127.0.0.1',
      detail: {},
    });
    expect(data[0].at).toBeGreaterThan(1.7e9);
  });

  it('tells what was done to teams, members and invitations', async () => {
    const bob = await signUp(server, 'Bob');
    const team = await makeTeam(ada, [bob]);
    await ada.client.patch(`/v1/teams/${team}`, { name: 'New' });
    await ada.client.patch(`/v1/teams/${team}/users/${bob.id}`, { membership_type: 1 });
    await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
    await ada.client.delete(`/v1/teams/${team}`);
    expect(await actions(`team=${team}`)).toEqual([
      'team.created',
      'member.added',
      'invitation.made',
      'invitation.accepted',
      'member.added',
      'team.changed',
      'member.role_changed',
      'member.removed',
      'team.deleted',
    ]);
    const { data } = await root.client.get(`/v1/admin/audit?team=${team}&action=member.`);
    expect(data.map(({ actor, target }) => [actor, target])).toEqual([
      [ada.id, bob.id],
      [ada.id, bob.id],
      [bob.id, bob.id],
      [ada.id, ada.id],
    ]);
  });

  it('tells what was done to applications, and holds no secret', async () => {
    const host = await new ApplicationHost().start();
    const team = await makeTeam(ada);
    const made: RegisteredApplication = await register(ada, host);
    await install(ada, team, made);
    await ada.client.patch(`/v1/applications/${made.id}`, { description: 'New' });
    const rotated = await ada.client.post(`/v1/applications/${made.id}/secret`, {});
    await ada.client.delete(`/v1/applications/${made.id}`);
    await host.stop();
    expect(await actions(`target=${made.id}`)).toEqual([
      'application.registered',
      'application.installed',
      'application.changed',
      'application.secret_rotated',
      'application.uninstalled',
      'application.deleted',
    ]);
    const { text } = await root.client.get('/v1/admin/audit/export');
    for (const secret of [made.secret, rotated.data[0].client_secret, PASSWORD, ada.email])
      expect(text).not.toContain(secret);
  });

  it('keeps nothing of what was rolled back', async () => {
    const team = await makeTeam(ada);
    expect((await ada.client.delete(`/v1/teams/${team}/users/${ada.id}`)).code).toBe(4090);
    expect(await actions(`team=${team}&action=member.removed`)).toEqual([]);
  });

  it('tells of refused sign-ins, without what was typed, and not of more than a few', async () => {
    server.clock.toNextMinute();
    for (let attempt = 0; attempt < 8; attempt++) await signIn(ada.email, 'wrong password');
    await signIn('nobody@example.org', 'wrong password');
    await root.client.patch(`/v1/admin/users/${ada.id}`, { active: false });
    const { data } = await root.client.get('/v1/admin/audit?action=sign_in.refused');
    expect(data).toHaveLength(6);
    expect(data[0]).toMatchObject({ actor: null, target: null, address: '127.0.0.1' });
    expect(data[0].detail).toEqual({
      reason: 'unknown_account',
      given: expect.any(String),
      not_told_before: 3,
    });
    expect(data[1]).toMatchObject({ actor: null, target: ada.id, detail: { reason: 'wrong_password' } });
    expect(JSON.stringify(data)).not.toMatch(/nobody|wrong password/);
    server.clock.advance(60);
    await signIn(ada.email, PASSWORD);
    const again = await root.client.get('/v1/admin/audit?action=sign_in.refused&limit=1');
    expect(again.data[0]).toMatchObject({ target: ada.id, detail: { reason: 'deactivated' } });
  });

  it('is read in pages, by time, and as a whole', async () => {
    const team = await makeTeam(ada);
    server.clock.advance(3600);
    const later = server.clock.now() / 1000;
    for (let n = 0; n < 5; n++) await ada.client.patch(`/v1/teams/${team}`, { name: `Name ${n}` });
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await root.client.get(`/v1/admin/audit?team=${team}&limit=2${cursor}`);
      seen.push(...page.data.map((entry) => entry.id));
      if (page.body.meta.next_cursor === null) break;
      cursor = `&cursor=${page.body.meta.next_cursor}`;
    }
    expect(new Set(seen).size).toBe(7);
    expect(await actions(`team=${team}&since=${later}`)).toHaveLength(5);
    expect(await actions(`team=${team}&until=${later}`)).toEqual(['team.created', 'member.added']);
    const whole = await root.client.get(`/v1/admin/audit/export?team=${team}`);
    expect(whole.headers.get('content-type')).toContain('application/x-ndjson');
    const lines = whole.text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(seen.reverse());
    expect(await actions('action=audit.exported')).toEqual(['audit.exported']);
    for (const wrong of ['actor=x', 'since=-1', 'since=1e300', 'cursor=x', 'limit=0'])
      expect((await root.client.get(`/v1/admin/audit?${wrong}`)).code).toBe(4002);
  });

  it('is purged once it is old enough', async () => {
    await makeTeam(ada);
    const old = await actions();
    server.clock.advance(366 * 24 * 3600);
    root = await signInAgain(root);
    await makeTeam(await signInAgain(ada));
    const kept = await until(async () => {
      const all = await actions();
      return !all.includes('account.created') && all;
    });
    expect(old).toContain('account.created');
    expect(kept).toContain('team.created');
  });
});

it('AUDIT_RETENTION=0 keeps everything', async () => {
  await server.stop();
  server = await startTestServer({ AUDIT_RETENTION: '0' }, { housekeepingMs: 5 });
  root = await signUp(server, 'Root');
  server.clock.advance(400 * 24 * 3600);
  // Housekeeping has come by once the old session is gone.
  await until(async () => (await runSql(server.running.db, 'SELECT id FROM sessions')).length === 0);
  root = await signInAgain(root);
  expect(await actions()).toEqual(['account.created', 'sign_in.succeeded']);
});
