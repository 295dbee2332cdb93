import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Asking, asking, headed } from '../../../../test/support/clicks.ts';
import type { Client } from '../../../../test/support/client.ts';
import { makeTeam, type Person, register } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';

const { server, host, dev, ada, bob, eve } = scene({ people: ['Dev', 'Ada', 'Bob', 'Eve'] });
let team: string;
let standup: Asking;

const commands = [
  { name: 'standup', description: 'Say what you do', hint: '[what]' },
  { name: 'إجازة', description: 'Ask for a holiday' },
];
const shortcuts = [
  { action_id: 'file-bug', name: 'File a bug', on: 'message' },
  { action_id: 'new-round', name: 'Begin a round', on: 'team' },
];

const set = (of: Asking, fields: object) => dev.client.patch(`/v1/applications/${of.app.id}`, fields);

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  standup = await asking(server, { owner: dev, admin: ada, host, team });
  expect((await set(standup, { commands, shortcuts })).status).toBe(200);
});

const give = (by: Person, text: string, click: string = randomUUID(), of = team) =>
  by.client.post(`/v1/teams/${of}/commands`, { text, click });
const choose = (by: Person, fields: object, click: string = randomUUID()) =>
  by.client.post(`/v1/teams/${team}/shortcuts`, { application: standup.app.id, click, ...fields });
const list = async (by: Person, query = '') =>
  (await by.client.get(`/v1/teams/${team}/commands${query}`)).data;
const refused = ({ code, body }: Awaited<ReturnType<Client['post']>>) => [code, body.errors?.[0]?.reason];
const heardOf = async (id: string, of = standup) => (await of.heard()).filter((data) => data.id === id);
const answer = async (heard: { response_url: string }, fields: object) =>
  server.anonymous().post(new URL(heard.response_url).pathname, fields);

describe('a command', () => {
  it('reaches the application that has it, with its arguments as they were written', async () => {
    const given = await give(bob, '/Standup  wrote   *tests*\nand docs ');
    expect([given.status, given.data]).toMatchObject([200, [{ status: 'pending' }]]);
    const [heard] = await heardOf(given.data[0].id);
    expect(heard).toEqual({
      kind: 'command',
      id: given.data[0].id,
      ...{ team, user: bob.id, command: 'standup', text: 'wrote   *tests*\nand docs' },
      response_url: expect.stringContaining(given.data[0].id),
    });
    const written = await give(bob, '/إجازة غدا');
    expect(await heardOf(written.data[0].id)).toMatchObject([{ command: 'إجازة', text: 'غدا' }]);
  });

  it('is told once, however often and at once it is sent (claim: commands-once)', async () => {
    const click = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => give(bob, '/standup once', click)));
    const ids = new Set(answers.map(({ data }) => data[0].id));
    expect(ids.size).toBe(1);
    expect(await heardOf([...ids][0])).toHaveLength(1);
    const again = await give(bob, '/standup once');
    expect(again.data[0].id).not.toBe([...ids][0]);
  });

  it('is another one than a shortcut with the same click, and the same one in capitals', async () => {
    await set(standup, { shortcuts: [...shortcuts, { action_id: 'standup', name: 'Stand up', on: 'team' }] });
    const click = randomUUID();
    const [given, chosen] = await Promise.all([
      give(bob, '/standup', click),
      choose(bob, { action_id: 'standup' }, click),
    ]);
    expect([given.status, chosen.status]).toEqual([200, 200]);
    expect(await heardOf(given.data[0].id)).toMatchObject([{ kind: 'command' }]);
    expect(await heardOf(chosen.data[0].id)).toMatchObject([{ kind: 'shortcut' }]);
    expect((await give(bob, '/standup', click.toUpperCase())).data[0].id).toBe(given.data[0].id);
    const elsewhere = await choose(bob, { action_id: 'standup', application: randomUUID() }, click);
    expect(refused(elsewhere)).toEqual([4002, 'action_id']);
    const shouted = standup.app.id.toUpperCase();
    expect((await choose(bob, { action_id: 'standup', application: shouted })).status).toBe(200);
    await set(standup, { shortcuts });
  });

  it('is answered to the person alone, for a day, in the team', async () => {
    const given = await give(bob, '/standup alone');
    const [heard] = await heardOf(given.data[0].id);
    const said = await answer(heard, { ephemeral: true, blocks: headed('Only you') });
    expect(said.data).toMatchObject([{ status: 'done', uses_left: 4 }]);
    const answers = async (by: Person) =>
      (await by.client.get(`/v1/users/me/ephemeral_answers?team=${team}`)).data;
    expect((await answers(bob)).at(-1)).toMatchObject({ message: null, team, text: '**Only you**' });
    expect(await answers(ada)).toEqual([]);
  });

  it('of another application pushes no answer out', async () => {
    const noisy = await asking(server, { owner: dev, admin: ada, host, team });
    await set(noisy, { commands: [{ name: 'noisy', description: 'Says much' }] });
    const kept = await give(bob, '/standup');
    await answer((await heardOf(kept.data[0].id))[0], { ephemeral: true, text: 'Keep me' });
    for (let round = 0; round < 5; round++) {
      const given = await give(bob, '/noisy');
      const [heard] = await heardOf(given.data[0].id, noisy);
      for (let use = 0; use < 5; use++)
        await answer(heard, { ephemeral: true, text: `Noise ${round} ${use}` });
    }
    const texts = (await bob.client.get(`/v1/users/me/ephemeral_answers?team=${team}`)).data.map(
      ({ text }: { text: string }) => text,
    );
    expect(texts).toContain('Keep me');
    expect(texts.filter((text: string) => text.startsWith('Noise'))).toHaveLength(20);
    expect(texts).not.toContain('Noise 0 4');
    await ada.client.delete(`/v1/teams/${team}/applications/${noisy.app.id}`);
  });

  it('is answered to all by a message of the application', async () => {
    const given = await give(bob, '/standup all');
    const [heard] = await heardOf(given.data[0].id);
    const said = await answer(heard, { reply: true, text: 'Bob wrote tests' });
    const message = await ada.client.get(`/v1/messages/${said.data[0].message}`);
    expect(message.data).toMatchObject([
      { text: 'Bob wrote tests', addressed_teams: [team], via_app: { id: standup.app.id } },
    ]);
  });

  it('has no message that could be changed', async () => {
    const given = await give(bob, '/standup');
    const [heard] = await heardOf(given.data[0].id);
    for (const way of ['replace', 'append'])
      expect(refused(await answer(heard, { [way]: true, text: 'x', blocks: headed('x') }))).toEqual([
        4002,
        way,
      ]);
    expect((await answer(heard, {})).data).toMatchObject([{ status: 'done' }]);
  });

  it('is no answer to somebody who has left the team', async () => {
    const other = await makeTeam(ada, [eve]);
    const app = await asking(server, { owner: dev, admin: ada, host, team: other });
    await set(app, { commands });
    const given = await give(eve, '/standup', randomUUID(), other);
    const [heard] = await heardOf(given.data[0].id, app);
    await ada.client.delete(`/v1/teams/${other}/users/${eve.id}`);
    expect(refused(await answer(heard, { ephemeral: true, text: 'x' }))).toEqual([4030, 'person_gone']);
  });

  it('is refused where it is none, is of another team, or nobody hears it', async () => {
    for (const text of [
      '/nothing',
      '/stand-up',
      'standup',
      '/',
      '//standup',
      '/1',
      ' /standup',
      '/standup/x',
    ])
      expect(refused(await give(bob, text)), text).toEqual([4002, 'text']);
    expect((await give(eve, '/standup')).code).toBe(4040);
    const deaf = await register(dev, host, { name: 'Deaf', scopes: ['messages:write'] });
    await dev.client.patch(`/v1/applications/${deaf.id}`, {
      commands: [{ name: 'deaf', description: 'Hears nothing' }],
    });
    await ada.client.post(`/v1/teams/${team}/applications`, { application: deaf.id });
    expect(refused(await give(bob, '/deaf'))).toEqual([4030, 'no_listener']);
    await ada.client.delete(`/v1/teams/${team}/applications/${deaf.id}`);
  });
});

it('a message that begins with a slash is posted as it is (claim: commands-in-composer)', async () => {
  const posted = await bob.client.post('/v1/messages', { text: '/standup', addressed_teams: [team] });
  expect(posted.data).toMatchObject([{ text: '/standup' }]);
  const known = (await standup.heard()).filter(({ user }) => user === bob.id).length;
  await bob.client.post('/v1/messages', { text: '//standup', addressed_teams: [team] });
  expect((await standup.heard()).filter(({ user }) => user === bob.id)).toHaveLength(known);
});

describe('a name', () => {
  it('is no built-in one, no word that calls many, and no lookalike of those or of another', async () => {
    const isRefused = async (...names: string[]) => {
      const given = names.map((name) => ({ name, description: 'x' }));
      const { code, body } = await set(standup, { commands: given });
      return [code, body.errors?.[0]?.reason];
    };
    const lookalikes = [
      ...[
        'he1p',
        'heIp',
        'h-e-l-p',
        'hélp',
        'hеlp',
        'аррӏе',
        'ме',
        'аll',
        'ᴍe',
        'ʜᴇʟᴘ',
        'heǀp',
        'heꞁp',
        'ᴀʟʟ',
      ],
      ...['ꓔꓰꓮꓟ', 'ꓮꓡꓡ', 'ᎪᏞᏞ', 'ⲧⲉⲁⲙ', 'stɑndup', 'standᴜp', 'тeam'],
    ];
    for (const name of ['me', 'remind', 'help', 'Help', 'team', 'everyone', ...lookalikes])
      expect(await isRefused(name), name).toEqual([4002, 'commands.0.name']);
    const unseen = [
      '\u3164',
      '가\u3164',
      'إجازة\u034f',
      'إجازة\ufe0f',
      `a${'\u0300'.repeat(31)}`,
      'ﬃ'.repeat(32),
    ];
    for (const name of [...unseen, 'he۱p', 'گ۰'])
      expect(await isRefused(name), name).toEqual([4002, 'commands.0.name']);
    for (const [one, other] of [
      ['علی', 'علي'],
      ['كل', 'کل'],
      ['расход', 'pасход'.replace('p', 'р')],
      ['إجازه', 'اجازه'],
    ] as const)
      expect((await isRefused(one, other))[0], one).toBe(4002);
    for (const name of ['1st', '-x', 'a b', 'a/b', 'a.b', '👍', ''])
      expect((await isRefused(name))[0], name).toBe(4002);
    expect(await isRefused('modern', 'modem')).toEqual([4002, 'commands.1.name']);
    const blank = await set(standup, { commands: [{ name: 'fine', description: ' \u200b\u202e' }] });
    expect(refused(blank)).toEqual([4002, 'commands.0.description']);
    const spoken = [
      'größe',
      'ärger',
      'задача',
      'εργασία',
      'משימה',
      'छुट्टी',
      '休み',
      'タスク',
      '휴가',
      'ลางาน',
      'ñandú',
    ];
    const taken = await set(standup, { commands: spoken.map((name) => ({ name, description: 'x' })) });
    expect([taken.status, taken.body.errors]).toEqual([200, undefined]);
    await set(standup, { commands });
    expect(await list(bob)).toMatchObject([{ name: 'standup' }, { name: 'إجازة' }]);
  });

  it('belongs to the first that has it; an admin sees the others and gives it to one (claim: commands-in-line)', async () => {
    const second = await asking(server, { owner: dev, admin: ada, host, team });
    await set(second, {
      commands: [
        { name: 'stand-up', description: 'Mine' },
        { name: 'lunch', description: 'Eat' },
      ],
    });
    expect((await list(bob)).map(({ name }: { name: string }) => name)).toEqual([
      'lunch',
      'standup',
      'إجازة',
    ]);
    const rival = { name: 'stand-up', application: { id: second.app.id }, taken_by: { id: standup.app.id } };
    expect(await list(ada)).toContainEqual(expect.objectContaining({ name: 'stand-up' }));
    expect((await list(ada)).find(({ name }: { name: string }) => name === 'stand-up')).toMatchObject(rival);
    expect(refused(await give(bob, '/stand-up'))).toEqual([4002, 'text']);

    const path = `/v1/teams/${team}/commands/stand-up`;
    const hand = (by: Person, to = second.app.id) => by.client.put(path, { application: to });
    expect(refused(await hand(bob))).toEqual([4030, 'not_admin']);
    expect(refused(await hand(ada, randomUUID()))).toEqual([4002, 'application']);
    expect((await hand(ada)).status).toBe(200);
    const given = await give(bob, '/stand-up');
    expect(await heardOf(given.data[0].id, second)).toHaveLength(1);
    expect(refused(await give(bob, '/standup'))).toEqual([4002, 'text']);

    // One that is suspended keeps its names.
    const suspension = `/v1/admin/applications/${second.app.id}/suspension`;
    expect((await dev.client.put(suspension, {})).status).toBe(200);
    expect(refused(await give(bob, '/stand-up'))).toEqual([4030, 'application_suspended']);
    expect(refused(await give(bob, '/standup'))).toEqual([4002, 'text']);
    expect((await list(bob)).map(({ name }: { name: string }) => name)).toEqual(['إجازة']);
    await dev.client.delete(suspension);

    // An application that gives a name up and takes it again waits in line.
    await set(second, { commands: [{ name: 'lunch', description: 'Eat' }] });
    expect((await give(bob, '/standup')).status).toBe(200);
    await set(second, { commands: [{ name: 'standup', description: 'Mine again' }] });
    const last = await give(bob, '/standup');
    expect(await heardOf(last.data[0].id)).toHaveLength(1);
    await ada.client.delete(`/v1/teams/${team}/applications/${second.app.id}`);
  });

  it('is shown to an admin before its application is installed', async () => {
    const guest = await register(dev, host, { name: 'Guest', scopes: ['messages:write'] });
    const names = [
      { name: 'standup', description: 'Mine' },
      { name: 'free', description: 'Free' },
    ];
    await dev.client.patch(`/v1/applications/${guest.id}`, { commands: names });
    const seen = async (by: Person) =>
      (await list(by, `?application=${guest.id}`)).filter(
        ({ application }: { application: { id: string } }) => application.id === guest.id,
      );
    expect(await seen(ada)).toMatchObject([
      { name: 'free' },
      { name: 'standup', taken_by: { id: standup.app.id } },
    ]);
    expect(await seen(bob)).toEqual([]);

    // One that the team could not install is not shown.
    await dev.client.patch(`/v1/applications/${guest.id}`, { listed: false });
    const own = await makeTeam(eve);
    const asked = (query: string) => eve.client.get(`/v1/teams/${own}/commands${query}`);
    expect((await asked(`?application=${guest.id}`)).code).toBe(4040);
    expect((await asked('')).data).toEqual([]);
  });
});

describe('a shortcut', () => {
  it('reaches its application, of the team or of a message', async () => {
    const offered = (await bob.client.get(`/v1/teams/${team}/shortcuts`)).data;
    const application = expect.objectContaining({ id: standup.app.id, name: 'Holidays' });
    const [bug, round] = shortcuts;
    expect(offered).toEqual([
      { ...round, application },
      { ...bug, application },
    ]);
    const round_ = await choose(bob, { action_id: 'new-round' });
    const [heard] = await heardOf(round_.data[0].id);
    expect(heard).toMatchObject({ kind: 'shortcut', team, user: bob.id, action_id: 'new-round' });
    expect(heard.message).toBeUndefined();

    const message = (await ada.client.post('/v1/messages', { text: 'It fails', addressed_teams: [team] }))
      .data[0].id;
    const filed = await choose(bob, { action_id: 'file-bug', message });
    const [about] = await heardOf(filed.data[0].id);
    expect(about).toMatchObject({ kind: 'message_action', message: { id: message }, action_id: 'file-bug' });
    const said = await answer(about, { reply: true, text: 'Filed' });
    expect((await ada.client.get(`/v1/messages/${message}/replies`)).data).toMatchObject([
      { id: said.data[0].message, text: 'Filed' },
    ]);
  });

  it('is refused where it is not offered, or the message is not of the team', async () => {
    const message = (await ada.client.post('/v1/messages', { text: 'x', addressed_teams: [team] })).data[0]
      .id;
    const [elsewhere] = (await ada.client.post('/v1/messages', { text: 'x', addressed_users: [bob.id] }))
      .data;
    expect(refused(await choose(bob, { action_id: 'file-bug' }))).toEqual([4002, 'action_id']);
    expect(refused(await choose(bob, { action_id: 'new-round', message }))).toEqual([4002, 'action_id']);
    expect(refused(await choose(bob, { action_id: 'file-bug', message: elsewhere.id }))).toEqual([
      4002,
      'message',
    ]);
    expect((await choose(bob, { action_id: 'file-bug', message: randomUUID() })).code).toBe(4040);
    expect((await choose(eve, { action_id: 'new-round' })).code).toBe(4040);
    expect(refused(await choose(bob, { application: randomUUID(), action_id: 'new-round' }))).toEqual([
      4002,
      'action_id',
    ]);
    await ada.client.delete(`/v1/messages/${message}`);
    expect((await choose(bob, { action_id: 'file-bug', message })).status).toBe(409);
  });
});

it('a public application has neither', async () => {
  const given = {
    name: 'Native',
    redirect_uris: ['com.example.app:/callback'],
    token_endpoint_auth_method: 'none',
    commands,
  };
  const answered = await dev.client.post('/v1/applications', given);
  expect([answered.code, answered.body.errors?.[0]?.reason]).toEqual([4002, 'commands']);
});
