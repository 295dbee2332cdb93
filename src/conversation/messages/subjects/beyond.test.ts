import { strFromU8, unzipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { allPlaced, pathOf, pullAll, subscribe } from '../../../../test/support/feed.ts';
import { mailsGo } from '../../../../test/support/mailbox.ts';
import { authorize, install, makeTeam, type Person, register } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';
import { until } from '../../../../test/support/until.ts';

const { server, host, mailbox, ada, ben } = scene({
  people: ['Ada', 'Ben'],
  mail: true,
  // Sessions outlive the days that pass here.
  environment: { SESSION_LIFETIME: '34560000', SESSION_MAX_LIFETIME: '34560000' },
  options: { housekeepingMs: 50 },
});
let team: string;

beforeEach(async () => {
  team = await makeTeam(ada, [ben], 'Bakery');
  await mailsGo(server);
  mailbox.clear();
});

const say = async (by: Person, text: string, subject?: string) =>
  (await by.client.post('/v1/messages', { text, addressed_teams: [team], subject })).data[0];
const settled = () =>
  until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);
const mails = async () => {
  await mailsGo(server);
  const sent = mailbox.of(ben.email);
  mailbox.clear();
  return sent;
};

describe('programs', () => {
  it('hear of subjects with the scope that reads the team, and name them where they post', async () => {
    const application = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
    await install(ada, team, application);
    const kinds = ['created', 'renamed', 'closed', 'reopened'].map((step) => `subject.${step}`);
    const { id } = await subscribe(application, { kinds });
    await allPlaced(server);
    const { access_token } = await authorize(ben, team, application);
    const token = ben.client.withToken(access_token);
    const posted = await token.post('/v1/messages', { text: 'x', addressed_teams: [team], subject: 'Oven' });
    const { subject_id } = posted.data[0];
    const path = `/v1/teams/${team}/subjects`;
    expect((await token.get(path)).data.map(({ name }) => name)).toEqual(['Oven']);
    expect((await token.patch(`${path}/${subject_id}`, { name: 'Stove', closed: true })).status).toBe(200);
    await say(ada, 'Still hot', 'stove');
    await allPlaced(server);
    const { events } = await pullAll(application.credentials, pathOf(application, id));
    expect(events.map(({ type, data }) => [type, data])).toEqual(
      [
        ['created', 'Oven', ben],
        ['renamed', 'Stove', ben],
        ['closed', 'Stove', ben],
        ['reopened', 'Stove', ada],
      ].map(([step, name, by]) => [
        `subject.${step}`,
        { team, subject: { id: subject_id, name }, user: (by as Person).id },
      ]),
    );
    // As itself.
    const form = { grant_type: 'client_credentials', team };
    const own = await application.credentials.ask('POST', '/v1/oauth2/token', { form });
    const itself = server.anonymous().withToken(own.body.access_token);
    const alone = await itself.post('/v1/messages', { text: 'y', addressed_teams: [team], subject: 'Stove' });
    expect(alone.data[0]).toMatchObject({ subject: 'Stove', subject_id, author_type: 'application' });
  });

  it('reach no subjects without that scope, and none of another team', async () => {
    const { subject_id } = await say(ada, 'x', 'Oven');
    const other = await makeTeam(ada, [ben]);
    const narrow = await register(ada, host, { scopes: ['direct:read', 'direct:write', 'inbox:write'] });
    const elsewhere = await register(ada, host, {
      scopes: ['messages:read', 'messages:write', 'inbox:write'],
    });
    await install(ada, team, narrow);
    await install(ada, other, elsewhere);
    for (const [application, place, codes] of [
      [narrow, team, [4031, 4040, 4031]],
      [elsewhere, other, [4040, 4040, 4040, 4040]],
    ] as const) {
      const { access_token } = await authorize(ben, place, application);
      const token = ben.client.withToken(access_token);
      const answers = [
        await token.get(`/v1/teams/${team}/subjects`),
        await token.get(`/v1/messages?subject=${subject_id}`),
        await token.patch(`/v1/teams/${team}/subjects/${subject_id}`, { closed: true }),
        ...(application === elsewhere
          ? [await token.put(`/v1/teams/${team}/subjects/${subject_id}/read`)]
          : []),
      ];
      expect(answers.map(({ body }) => body.errors?.[0].code)).toEqual(codes);
    }
  });

  it('are told nothing of a subject that they may change, and not read', async () => {
    const { subject_id } = await say(ben, 'x', 'Oven');
    const writer = await register(ada, host, { scopes: ['messages:write', 'inbox:write'] });
    await install(ada, team, writer);
    const token = ben.client.withToken((await authorize(ben, team, writer)).access_token);
    const path = `/v1/teams/${team}/subjects/${subject_id}`;
    for (const answer of [await token.patch(path, { name: 'Stove' }), await token.put(`${path}/read`)])
      expect([answer.status, answer.data]).toEqual([200, []]);
    const { data } = await ben.client.get(`/v1/teams/${team}/subjects`);
    expect(data).toMatchObject([{ name: 'Stove', num_unread: 0 }]);
  });
});

describe('what reaches people', () => {
  it('says the team and the subject in mails, and is muted with the subject', async () => {
    await ben.client.put('/v1/users/me/read');
    await say(ada, 'It hums', 'Oven');
    expect((await mails()).map(({ subject }) => subject)).toEqual(['Ada Test wrote in Bakery › Oven']);
    const { subject_id } = await say(ada, 'Louder', 'Oven');
    await say(ada, 'Cake', 'Fair');
    const [mixed] = await mails();
    expect(mixed?.subject).toBe('2 new messages from Ada Test');
    for (const place of ['Bakery › Oven', 'Bakery › Fair']) expect(mixed?.text).toContain(place);

    const mute = `/v1/users/me/mutes/subject/${subject_id}`;
    expect((await ben.client.put(mute, { until: null })).data).toEqual([
      { kind: 'subject', id: subject_id, until: null },
    ]);
    const quiet = await say(ada, 'Louder still', 'Oven');
    const asked = await say(ben, 'Anybody?', 'Oven');
    await ada.client.post(`/v1/messages/${asked.id}/replies`, { text: 'No' });
    await settled();
    const counts = async () => (await ben.client.get('/v1/users/me/inbox/counts')).data[0];
    expect([(await mails()).length, (await counts()).total]).toEqual([0, 0]);
    // A name comes through to the inbox, as in all that is muted; another subject does, too.
    const { username } = (await ben.client.get('/v1/users/me')).data[0];
    await ben.client.patch('/v1/users/me/push_settings', { teams: [{ team, level: 'all' }] });
    const notice = async (id: string) =>
      (await ben.client.get(`/v1/users/me/inbox/${id}/notification`)).data.map(({ title }) => title);
    expect(await notice(team)).toEqual([]);
    const called = await say(ada, `@${username}?`, 'Oven');
    await settled();
    expect(await notice(called.id)).toEqual(['Ada Test in Bakery › Oven']);
    expect([(await mails()).length, (await counts()).mentions]).toEqual([0, 1]);
    await ada.client.patch(`/v1/messages/${quiet.id}`, { subject: 'Fair' });
    await say(ada, 'Pie', 'Fair');
    expect(await mails()).toHaveLength(1);
    // Who leaves and comes back has muted nothing.
    await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
    const places = (await ben.client.get('/v1/users/me/mutes')).data.map(({ id }) => id);
    expect(places).not.toContain(subject_id);
  });
});

describe('a person and a team that go', () => {
  it('leave nothing: the archive has what the person named, and an erased team has no subjects', async () => {
    const { id, subject_id } = await say(ben, 'Mine', 'Named by Ben');
    await say(ada, 'Mine', 'Named by Ada');
    await ben.client.put(`/v1/teams/${team}/subjects/${subject_id}/read`);
    const archive = await fetch(`${server.url}/v1/users/me/export`, {
      headers: { Cookie: ben.client.cookie },
    });
    const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    const fileOf = (name: string) => strFromU8(files[name] ?? new Uint8Array());
    const own = JSON.parse(fileOf('subjects.json'));
    expect(own.map(({ name, team: of }: { name: string; team: string }) => [name, of])).toContainEqual([
      'Named by Ben',
      team,
    ]);
    expect(JSON.stringify(own)).not.toContain('Named by Ada');
    expect(fileOf('messages.ndjson')).toContain(`"subject_id":"${subject_id}"`);
    await ada.client.delete(`/v1/teams/${team}`);
    server.clock.advance(31 * 86_400);
    const left = async (table: string) =>
      (await runSql(server.running.db, `SELECT 1 FROM ${table} WHERE team_id = ?`, [team])).length;
    await until(async () => (await left('subjects')) + (await left('subject_cursors')) === 0);
    const rows = await runSql(server.running.db, 'SELECT subject_id, text FROM messages WHERE id = ?', [id]);
    expect(rows).toEqual([{ subject_id: null, text: '' }]);
  });
});
