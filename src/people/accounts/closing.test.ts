import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedFiles } from '../../../test/support/files.ts';
import { Mailbox, mailsSettle } from '../../../test/support/mailbox.ts';
import {
  ApplicationHost,
  authorize,
  install,
  join,
  makeTeam,
  type Person,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';
import { dumpTables, runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const password = 'a password of length';
let server: TestServer;
let mailbox: Mailbox;
let host: ApplicationHost;
let root: Person;
let ada: Person;
let bob: Person;

beforeEach(async () => {
  mailbox = await new Mailbox().start();
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'Parley <parley@example.org>' };
  server = await startTestServer(mail, { housekeepingMs: 100 });
  host = await new ApplicationHost().start();
  root = await signUp(server, 'Root');
  ada = await signUp(server, 'Ada');
  bob = await signUp(server, 'Bob');
});
afterEach(async () => {
  await server.stop();
  await mailbox.stop();
  await host.stop();
});

const signIn = (email: string) => server.anonymous().post('/v1/sessions', { email, password });
const remove = (person: Person, given = password) =>
  person.client.ask('DELETE', '/v1/users/me', { json: { password: given } });
const reasonOf = (answer: { body: { errors: { reason: string }[] } }) => answer.body.errors[0]?.reason;

describe('deactivation', () => {
  it('needs the password, ends sessions and tokens, and an administrator undoes it', async () => {
    const team = await makeTeam(bob, [ada]);
    const application = await register(bob, host);
    await install(bob, team, application);
    const token = server.anonymous().withToken((await authorize(ada, team, application)).access_token);
    const other = server.anonymous();
    await other.post('/v1/sessions', { email: ada.email, password });
    const deactivate = (given: string) => ada.client.post('/v1/users/me/deactivation', { password: given });

    expect((await deactivate('wrong')).code).toBe(4002);
    expect((await token.get('/v1/users/me')).status).toBe(200);
    expect((await deactivate(password)).status).toBe(200);
    for (const client of [ada.client, other]) expect((await client.get('/v1/users/me')).code).toBe(4010);
    expect((await token.get('/v1/users/me')).code).toBe(4012);
    expect((await signIn(ada.email)).code).toBe(4010);
    const members = await bob.client.get(`/v1/teams/${team}/users`);
    expect(members.data.find(({ userid }) => userid === ada.id).user.active).toBe(false);

    const opened = await root.client.patch(`/v1/admin/users/${ada.id}`, { active: true });
    expect(opened.data[0]).toMatchObject({ id: ada.id, email: ada.email, active: true, superuser: false });
    expect((await other.get('/v1/users/me')).code).toBe(4010);
    expect((await token.get('/v1/users/me')).code).toBe(4012);
    expect((await signIn(ada.email)).status).toBe(200);
  });

  it('bounds how often a password can be guessed with somebody’s session', async () => {
    await server.stop();
    server = await startTestServer({ RATE_LIMIT: 'on', RATE_LIMIT_ACCOUNT: '3' });
    server.clock.toNextMinute();
    ada = await signUp(server, 'Ada');
    const change = (current: string) =>
      ada.client.post('/v1/users/me/password', { current, password: 'a new password of length' });
    for (let n = 0; n < 2; n++) expect((await remove(ada, 'wrong')).code).toBe(4002);
    expect((await change('wrong')).code).toBe(4002);
    expect((await change(password)).code).toBe(4290);
    expect((await remove(ada)).code).toBe(4290);
  });
});

it('the right password signs in after the clock was ahead, and guesses stay bounded', async () => {
  await server.stop();
  server = await startTestServer({ RATE_LIMIT: 'on', RATE_LIMIT_ACCOUNT: '3' });
  server.clock.toNextMinute();
  ada = await signUp(server, 'Ada');
  const month = 30 * 86_400;
  server.clock.advance(month);
  expect((await signIn(ada.email)).status).toBe(200);
  server.clock.advance(-month);
  for (let n = 0; n < 2; n++) expect((await signIn(ada.email)).status).toBe(200);
  const guess = () => server.anonymous().post('/v1/sessions', { email: ada.email, password: 'wrong' });
  expect((await guess()).status).toBe(401);
  const refused = await guess();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
});

describe('a team', () => {
  it('keeps an admin who can sign in (claim: team-has-admin)', async () => {
    const team = await makeTeam(ada, [bob], 'Harbour');
    const alone = await makeTeam(ada, [], 'Alone');
    const close = (person: Person) => person.client.post('/v1/users/me/deactivation', { password });
    const refused = await close(ada);
    expect([refused.code, reasonOf(refused)]).toEqual([4090, 'last_admin']);
    expect(refused.text).toContain(`Harbour (${team})`);
    expect(refused.text).not.toContain('Alone');

    await ada.client.patch(`/v1/teams/${team}/users/${bob.id}`, { membership_type: 1 });
    expect((await close(bob)).status).toBe(200);
    // Bob is an admin still, and cannot sign in.
    expect(reasonOf(await ada.client.delete(`/v1/teams/${team}/users/${ada.id}`))).toBe('last_admin');
    const demoted = await ada.client.patch(`/v1/teams/${team}/users/${ada.id}`, { membership_type: 2 });
    expect(reasonOf(demoted)).toBe('last_admin');
    expect(reasonOf(await close(ada))).toBe('last_admin');
    expect((await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`)).status).toBe(200);

    // An administrator of the server may have to close any account; the list of teams shows what that leaves.
    const shown = async () =>
      (await root.client.get('/v1/admin/teams')).data
        .filter(({ id }) => id === team || id === alone)
        .map(({ has_admin }) => has_admin);
    expect(await shown()).toEqual([true, true]);
    await root.client.patch(`/v1/admin/users/${ada.id}`, { active: false });
    expect(await shown()).toEqual([false, false]);
  });

  it('of two admins who close their accounts at once, one stays', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = [await signUp(server, 'One'), await signUp(server, 'Two')];
      const team = await makeTeam(one, [two, ada]);
      await one.client.patch(`/v1/teams/${team}/users/${two.id}`, { membership_type: 1 });
      const answers = await Promise.all([
        one.client.post('/v1/users/me/deactivation', { password }),
        round % 2 === 0
          ? two.client.post('/v1/users/me/deactivation', { password })
          : two.client.delete(`/v1/teams/${team}/users/${two.id}`),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });
});

describe('administrators', () => {
  it('find, close, open and promote accounts; a change of oneself counts at once', async () => {
    const found = await root.client.get('/v1/admin/users?query=BO');
    expect(found.data.map(({ id }) => id)).toEqual([bob.id]);
    expect((await root.client.get(`/v1/admin/users?query=${ada.email}`)).data[0].id).toBe(ada.id);
    expect((await root.client.get('/v1/admin/users?query=%25')).data).toEqual([]);
    const first = await root.client.get('/v1/admin/users?limit=2');
    const rest = await root.client.get(`/v1/admin/users?cursor=${first.body.meta.next_cursor}`);
    expect([...first.data, ...rest.data].map(({ first_name }) => first_name)).toEqual(['Ada', 'Bob', 'Root']);
    const foreign = Buffer.from(JSON.stringify(['bob', 'no id'])).toString('base64url');
    expect((await root.client.get(`/v1/admin/users?cursor=${foreign}`)).code).toBe(4002);

    await root.client.patch(`/v1/admin/users/${ada.id}`, { superuser: true });
    expect((await ada.client.get('/v1/admin/users')).status).toBe(200);
    await ada.client.patch(`/v1/admin/users/${ada.id}`, { superuser: false });
    expect((await ada.client.get('/v1/admin/users')).code).toBe(4030);
    expect((await root.client.patch('/v1/admin/users/nobody', { active: false })).code).toBe(4040);
  });

  it('always include one who can sign in', async () => {
    const change = (json: object) => root.client.patch(`/v1/admin/users/${root.id}`, json);
    for (const refused of [
      await change({ superuser: false }),
      await change({ active: false }),
      await root.client.post('/v1/users/me/deactivation', { password }),
      await remove(root),
      await root.client.delete(`/v1/admin/users/${root.id}`),
    ])
      expect([refused.code, reasonOf(refused)]).toEqual([4090, 'last_superuser']);
    await root.client.patch(`/v1/admin/users/${ada.id}`, { superuser: true });
    // A deactivated account has no administrator rights.
    await root.client.patch(`/v1/admin/users/${ada.id}`, { active: false });
    expect((await remove(root)).code).toBe(4090);
    await root.client.patch(`/v1/admin/users/${ada.id}`, { active: true });
    expect((await change({ superuser: false })).status).toBe(200);
  });

  it.each(['superuser', 'active'])('two who end each other’s %s at once leave one', async (field) => {
    await root.client.patch(`/v1/admin/users/${ada.id}`, { superuser: true });
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        root.client.patch(`/v1/admin/users/${ada.id}`, { [field]: false }),
        ada.client.patch(`/v1/admin/users/${root.id}`, { [field]: false }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const [winner, loser] = answers[0]?.status === 200 ? [root, ada] : [ada, root];
      await winner.client.patch(`/v1/admin/users/${loser.id}`, { superuser: true, active: true });
      const { data } = await winner.client.get('/v1/admin/users');
      expect(data.filter((user) => user.superuser && user.active)).toHaveLength(2);
      if (field === 'active') await loser.client.post('/v1/sessions', { email: loser.email, password });
    }
  });

  it('who are no administrators any more cannot bring it back by a change of their own', async () => {
    await root.client.patch(`/v1/admin/users/${ada.id}`, { superuser: true });
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        root.client.patch(`/v1/admin/users/${ada.id}`, { superuser: round % 2 === 1 }),
        ada.client.patch('/v1/users/me', { title: `${round}` }),
      ]);
      const { data } = await ada.client.get('/v1/users/me');
      expect([data[0].superuser, data[0].title]).toEqual([round % 2 === 1, `${round}`]);
    }
  });
});

describe('deletion', () => {
  it('is refused where it would leave others stranded, and says what to do', async () => {
    const team = await makeTeam(ada, [bob], 'Harbour');
    const application = await register(ada, host, { name: 'Tracker' });
    expect((await remove(ada, 'wrong')).code).toBe(4002);
    const owning = await remove(ada);
    expect([owning.code, reasonOf(owning)]).toEqual([4090, 'owns_applications']);
    expect(owning.text).toContain(`Tracker (${application.id})`);
    const give = (user: string) =>
      root.client.put(`/v1/admin/applications/${application.id}/owner`, { user });
    expect((await give(application.id)).code).toBe(4040);
    expect((await give(bob.id)).status).toBe(200);
    expect((await bob.client.get(`/v1/applications/${application.id}`)).status).toBe(200);
    expect((await ada.client.get(`/v1/applications/${application.id}`)).code).toBe(4040);

    const leading = await remove(ada);
    expect([leading.code, reasonOf(leading)]).toEqual([4090, 'last_admin']);
    expect(leading.text).toContain(`Harbour (${team})`);
    expect((await ada.client.get('/v1/users/me')).data[0].first_name).toBe('Ada');
    await ada.client.patch(`/v1/teams/${team}/users/${bob.id}`, { membership_type: 1 });
    expect((await remove(ada)).status).toBe(200);
    expect((await remove(ada)).code).toBe(4010);
    expect((await root.client.delete(`/v1/admin/users/${ada.id}`)).code).toBe(4040);
    expect((await root.client.patch(`/v1/admin/users/${ada.id}`, { active: true })).code).toBe(4040);
    expect((await signIn(ada.email)).code).toBe(4010);
  });

  it('leaves nothing of the person in any table; what they wrote stays, by "Deleted user"', async () => {
    const { db } = server.running;
    const carol = await signUp(server, 'Zzyzxcarol', { last_name: 'Qwrtsurname', title: 'Qwrttitle' });
    await carol.client.patch('/v1/users/me', {
      location: 'Qwrttown',
      company: 'Qwrtcorp',
      username: 'Qwrtname',
    });
    const application = await register(bob, host, { team_update_url: `${host.url}/update` });
    const team = await makeTeam(bob, [carol]);
    const alone = await makeTeam(carol, [], 'Alone');
    await install(bob, team, application);
    const token = server.anonymous().withToken((await authorize(carol, team, application)).access_token);
    await join(bob, await makeTeam(bob), carol);
    await bob.client.post(`/v1/teams/${await makeTeam(bob)}/invitations`, {
      emails: [carol.email.toUpperCase()],
    });
    await server.anonymous().post('/v1/sessions', { email: carol.email, password: 'wrong' });
    const toTeam = await token.post('/v1/messages', { text: 'To the team', addressed_teams: [team] });
    const toBob = await carol.client.post(
      '/v1/messages',
      { text: 'To Bob', addressed_users: [bob.id] },
      { 'Idempotency-Key': 'k' },
    );
    const traces = /zzyzxcarol|qwrt(surname|title|town|corp|name)/i;
    const before = await dumpTables(db);
    for (const table of ['users', 'invitations', 'deliveries', 'mails', 'account_tokens'])
      expect(before.get(table)).toMatch(traces);

    host.received.length = 0;
    expect((await remove(carol)).status).toBe(200);
    const told = await host.next((call) => call.path === '/update' && call.body.change === 'member_removed');
    expect(told.body.user).toMatchObject({ id: carol.id, first_name: 'Deleted user', email: '' });
    await until(async () => {
      const left = [...(await dumpTables(db))].filter(([, rows]) => traces.test(rows));
      if (left.length > 0) expect(left.map(([table]) => table)).toEqual(['deliveries']);
      return left.length === 0;
    });

    expect((await carol.client.get('/v1/users/me')).code).toBe(4010);
    expect((await token.get('/v1/users/me')).code).toBe(4012);
    const seen = await bob.client.get(`/v1/messages/${toTeam.data[0].id}`);
    expect(seen.data[0]).toMatchObject({
      text: 'To the team',
      author: {
        id: carol.id,
        first_name: 'Deleted user',
        last_name: '',
        username: '',
        email: '',
        active: false,
      },
    });
    expect((await bob.client.get(`/v1/messages/${toBob.data[0].id}`)).data[0].text).toBe('To Bob');
    expect((await bob.client.get(`/v1/users/${carol.id}`)).data[0].first_name).toBe('Deleted user');
    const members = await bob.client.get(`/v1/teams/${team}/users`);
    expect(members.data.map(({ userid }) => userid)).toEqual([bob.id]);
    const teams = await root.client.get('/v1/admin/teams?active=false');
    expect(teams.data).toMatchObject([{ id: alone, num_members: 0 }]);

    const { data: told1 } = await root.client.get(`/v1/admin/audit?actor=${carol.id}&limit=200`);
    expect(told1.map((entry) => entry.action)).toContain('account.deleted');
    const { data: told2 } = await root.client.get(
      `/v1/admin/audit?target=${carol.id}&action=sign_in.refused`,
    );
    expect([...told1, ...told2].every((entry) => entry.address === null)).toBe(true);
    const again = await signUp(server, 'New');
    expect((await again.client.patch('/v1/users/me', { username: 'Qwrtname' })).status).toBe(200);

    // The second pass runs when no request that read the old rows can still be writing.
    expect(await runSql(db, 'SELECT id FROM oauth_grants')).not.toEqual([]);
    for (const scope of [carol.id, `${carol.id}:${application.id}:${team}`]) {
      const late =
        'INSERT INTO idempotency_keys (scope, key, request_hash, answer, expires_at) VALUES (?, ?, ?, ?, ?)';
      await runSql(db, late, [scope, 'late', '', 'an answer', server.clock.now() + 86_400_000]);
    }
    server.clock.advance(601);
    await until(async () => (await runSql(db, 'SELECT subject_id FROM erasures')).length === 0);
    for (const table of [
      'idempotency_keys',
      'oauth_grants',
      'access_tokens',
      'refresh_tokens',
      'oauth_codes',
    ])
      expect(await runSql(db, `SELECT * FROM ${table}`)).toEqual([]);
  });

  it('deletes messages that no one else could see', async () => {
    const { db } = server.running;
    const team = await makeTeam(bob, [ada]);
    const upload = async (content: string) => {
      const raw = new FormData();
      raw.set('file', new Blob([content]), 'file.txt');
      return (await ada.client.ask('POST', '/v1/attachments', { raw })).data[0].id as string;
    };
    const post = async (person: Person, text: string, to: object, ...files: string[]) => {
      const { data } = await person.client.post('/v1/messages', { text, ...to, attachments: { files } });
      return data[0].id as string;
    };
    const answer = async (id: string, text: string) =>
      (await ada.client.post(`/v1/messages/${id}/replies`, { text })).data[0].id as string;
    await upload('In no message');
    const held = await post(ada, 'Held', { addressed_teams: [team] }, await upload('In a message'));
    const note = await post(ada, 'Qwrttext', { addressed_users: [ada.id] }, await upload('In a note'));
    await answer(note, 'Qwrttext too');
    await ada.client.post(`/v1/messages/${held}/sidebars`, { users: [ada.id], text: 'Qwrttext beside it' });
    const fromBob = await post(bob, 'A question', { addressed_users: [ada.id] });
    const answered = await answer(fromBob, 'An answer');
    expect(storedFiles(server)).toHaveLength(3);
    const stream = await fetch(`${server.url}/v1/events`, { headers: { Cookie: ada.client.cookie } });
    const rowsOf = async (table: string, column = 'user_id') =>
      (await runSql(db, `SELECT 1 FROM ${table} WHERE ${column} = ?`, [ada.id])).length;
    await until(async () => (await rowsOf('presence')) > 0);
    await ada.client.put(`/v1/messages/${fromBob}/read`);
    await mailsSettle(server);

    expect(await rowsOf('mail_notifications')).toBe(1);
    expect((await remove(ada)).status).toBe(200);
    await post(bob, 'The newest event stays', { addressed_teams: [team] });
    // The first pass has ended once the second is planned. Until then each step is due in the moment of its writing.
    const planned = () =>
      runSql(db, 'SELECT 1 FROM erasures WHERE subject_id = ? AND due_at > ?', [
        ada.id,
        server.clock.now() + 60_000,
      ]);
    await until(async () => (await planned()).length > 0);
    for (const table of ['presence', 'mail_notifications', 'mail_batches'])
      expect([table, await rowsOf(table)]).toEqual([table, 0]);
    server.clock.advance(601);
    await until(async () => (await rowsOf('erasures', 'subject_id')) === 0);
    expect(await rowsOf('events', 'audience_id')).toBe(0);
    await until(() => storedFiles(server).length <= 1);
    for (const [table, dump] of await dumpTables(db))
      expect([table, /qwrttext/i.test(dump)]).toEqual([table, false]);
    for (const id of [held, answered]) {
      const { data } = await bob.client.get(`/v1/messages/${id}`);
      expect(data[0]).toMatchObject({ author: { first_name: 'Deleted user' }, events: [] });
      expect(data[0].text).not.toBe('');
    }
    const { data } = await bob.client.get(`/v1/messages/${held}`);
    expect((await bob.client.get(new URL(data[0].attachments[0].url).pathname)).text).toBe('In a message');
    await stream.body?.cancel();
  });

  it('while the person posts, joins and signs in, ends with nothing of them left', async () => {
    const { db } = server.running;
    for (let round = 0; round < 4; round++) {
      const carol = await signUp(server, 'Zzyzxcarol', { last_name: 'Qwrtsurname' });
      const team = await makeTeam(bob, [carol]);
      const other = await makeTeam(bob);
      const { data } = await bob.client.post(`/v1/teams/${other}/invitations`, { emails: ['x@example.org'] });
      const direct = () => carol.client.post('/v1/messages', { text: 'x', addressed_users: [bob.id] });
      const post = () => carol.client.post('/v1/messages', { text: 'x', addressed_teams: [team] });
      const [removed, ...answers] = await Promise.all([
        remove(carol),
        ...Array.from({ length: 8 }, post),
        carol.client.put(`/v1/invitations/${data[0].token}`),
        carol.client.patch('/v1/users/me', { last_name: 'Qwrtsurname again' }),
        carol.client.post('/v1/teams', { name: 'Mine' }),
        signIn(carol.email),
        ...Array.from({ length: 4 }, direct),
        ...Array.from({ length: 4 }, post),
      ]);
      const allowed = [200, 400, 401, 404];
      for (const { status, text } of answers) expect(allowed, text).toContain(status);
      expect(removed.status).toBe(200);
      const rows = async (table: string) =>
        runSql(db, `SELECT user_id FROM ${table} WHERE user_id = ?`, [carol.id]);
      expect([await rows('memberships'), await rows('sessions')]).toEqual([[], []]);
      const [row] = await runSql(db, 'SELECT num_members, message_seq FROM teams WHERE id = ?', [team]);
      const places = await runSql(db, 'SELECT seq FROM messages WHERE team_id = ?', [team]);
      expect(row).toEqual({ num_members: 1, message_seq: places.length });
    }
    for (const [table, dump] of await dumpTables(db))
      expect([table, /zzyzxcarol|qwrtsurname/i.test(dump)]).toEqual([table, false]);
  });

  it('of two admins who go at once, one has to stay', async () => {
    for (let round = 0; round < 4; round++) {
      const [one, two] = [await signUp(server, 'One'), await signUp(server, 'Two')];
      const team = await makeTeam(one, [two, bob]);
      await one.client.patch(`/v1/teams/${team}/users/${two.id}`, { membership_type: 1 });
      const answers = await Promise.all([remove(one), remove(two)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });
});

it('a deleted account is erased also while something else cannot be', async () => {
  await server.stop();
  // No housekeeping comes by: it would try the others later.
  server = await startTestServer();
  const { db } = server.running;
  await signUp(server, 'Root');
  ada = await signUp(server, 'Ada');
  await runSql(
    db,
    'INSERT INTO erasures (subject_id, kind, step, place, due_at, lease_until) VALUES (?, ?, 0, ?, 0, 0)',
    ['00000000-0000-7000-8000-000000000001', 'unknown', ''],
  );
  expect((await remove(ada)).status).toBe(200);
  const begun = () => runSql(db, 'SELECT step FROM erasures WHERE subject_id = ? AND step > 0', [ada.id]);
  await until(async () => (await begun()).length > 0);
});
