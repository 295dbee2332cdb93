import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROWS_AT_ONCE } from '#platform/jobs/index.ts';
import type { Client } from '../../../test/support/client.ts';
import { EventStream } from '../../../test/support/event-stream.ts';
import { install, join, makeTeam, type Person, register, signUp } from '../../../test/support/people.ts';
import { PushService } from '../../../test/support/push-service.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';
import { newPush } from './push.row.ts';
import { pushService } from './push.service.ts';
import { insertPushes } from './push.store.ts';

const { server, host, mailbox, ada, ben } = scene({
  people: ['Ada', 'Ben'],
  mail: true,
  environment: { MAIL_BATCH_SECONDS: '60' },
  options: { workerIntervalMs: 20 },
});
const service = new PushService();
let team: string;
let devices = 0;
const NONE = '00000000-0000-0000-0000-000000000000';
beforeAll(async () => {
  await service.start();
  team = await makeTeam(ada, [ben], 'Design');
});
afterAll(() => service.stop());

/** A new device of Ben, and the only one. */
async function newDevice(settings: object = {}): Promise<string> {
  for (const { id } of (await ben.client.get('/v1/users/me/push_subscriptions')).data)
    await ben.client.delete(`/v1/users/me/push_subscriptions/${id}`);
  const defaults = {
    content: 'all',
    direct: true,
    reactions: false,
    paused: false,
    teams: [{ team, level: 'mentions' }],
  };
  const changed = await ben.client.patch('/v1/users/me/push_settings', { ...defaults, ...settings });
  expect(changed.status).toBe(200);
  const name = `ben-${++devices}`;
  await service.subscribe(ben.client, name);
  return name;
}

const post = async (author: Person, fields: object): Promise<string> =>
  (await author.client.post('/v1/messages', fields)).data[0].id;
const direct = (text: string) => post(ada, { text, addressed_users: [ben.id] });
const inTeam = (text: string) => post(ada, { text, addressed_teams: [team] });
const usernameOf = async (person: Person) => (await person.client.get('/v1/users/me')).data[0].username;
const reply = async (author: Person, to: string, text: string): Promise<string> =>
  (await author.client.post(`/v1/messages/${to}/replies`, { text })).data[0].id;

/** All that was posted so far has become pushes, or has not. */
const newPushesAreMade = () =>
  until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);

/** Everything before it was pushed, or is not. @returns what the device got before */
async function allOf(device: string) {
  const mark = await direct('the mark');
  await until(() => service.to(device).some(({ content }) => content.url === `/messages/${mark}`));
  await ben.client.put('/v1/users/me/read');
  return service
    .to(device)
    .filter(({ content }) => content.url !== `/messages/${mark}` && content.kind !== 'read');
}

describe('what concerns a person', () => {
  it('is pushed with its text, at once, and leads to the message', async () => {
    const device = await newDevice();
    const id = await direct('Lunch at **noon**?\n- bread\n- `butter`');
    const { headers, content } = await service.next(device);
    const body = 'Lunch at noon?\n• bread\n• butter';
    expect(content).toMatchObject({ kind: 'message', title: 'Ada Test', body });
    expect(content.url).toBe(`/messages/${id}`);
    expect(headers).toMatchObject({ urgency: 'high', topic: content.tag });
  });

  it('is collapsed by its conversation, which the push service cannot name', async () => {
    const device = await newDevice();
    const id = await direct('first');
    const first = await service.next(device);
    await reply(ada, id, 'second');
    const second = await service.next(device, 2);
    expect(second.content).toMatchObject({ tag: first.content.tag, title: 'Ada Test (2)', body: 'second' });
    expect(second.headers.topic).toBe(first.headers.topic);
    expect(JSON.stringify(second.headers)).not.toContain(id);
    const mention = await inTeam(`@${await usernameOf(ben)} please look`);
    expect((await service.next(device, 3)).content).toMatchObject({
      title: 'Ada Test in Design',
      url: `/messages/${mention}`,
    });
    expect(service.to(device)[2]?.content.tag).not.toBe(first.content.tag);
  });

  it('of an application is one conversation in each team, and is not pushed while the person is to be left alone', async () => {
    const app = await register(ada, host, { name: 'Helper', scopes: ['direct:app'] });
    const other = await makeTeam(ada, [ben], 'Studio');
    const inTeams = new Map<string, Client>();
    for (const one of [team, other]) {
      await install(ada, one, app);
      const form = { grant_type: 'client_credentials', team: one };
      const { body } = await app.credentials.ask('POST', '/v1/oauth2/token', { form });
      inTeams.set(one, server.anonymous().withToken(body.access_token));
    }
    const write = async (of: string, text: string) => {
      const sent = await inTeams.get(of)?.post('/v1/messages', { text, addressed_users: [ben.id] });
      expect(sent?.status).toBe(200);
    };
    const left = await newDevice({ quiet_days: [1, 2, 3, 4, 5, 6, 7] });
    await write(team, 'The first word');
    await newPushesAreMade();
    expect(service.to(left)).toEqual([]);
    await ben.client.put('/v1/users/me/read');

    const device = await newDevice({ quiet_days: [] });
    // One that waits would be one with the next of its conversation.
    for (const [at, of] of [team, other, team].entries()) {
      await write(of, `Word ${at}`);
      await service.next(device, at + 1);
    }
    const told = service.to(device).map(({ content }) => content);
    expect(told).toMatchObject([{ body: 'Word 0' }, { body: 'Word 1' }, { body: 'Word 2' }]);
    const [one, two, three] = told.map(({ tag }) => tag);
    expect(three).toBe(one);
    expect(two).not.toBe(one);
  });

  it('is counted without what was read or deleted meanwhile', async () => {
    const device = await newDevice();
    const first = await direct('read before the next one');
    await service.next(device);
    await ben.client.put(`/v1/messages/${first}/read`);
    await direct('alone');
    expect((await service.next(device, 2)).content).toMatchObject({ title: 'Ada Test', body: 'alone' });
    const slip = await direct('a slip');
    expect((await service.next(device, 3)).content.title).toBe('Ada Test (2)');
    await ada.client.delete(`/v1/messages/${slip}`);
    expect((await service.next(device, 4)).content.kind).toBe('read');
  });

  it.each([
    ['sender', { title: 'Ada Test in Design', body: 'Mentioned you' }],
    ['none', { title: 'Parley', body: 'New message' }],
  ])('shows no more than the person wants (%s)', async (content, shown) => {
    const device = await newDevice({ content });
    await inTeam(`@${await usernameOf(ben)} this is a secret`);
    const pushed = await service.next(device);
    expect(pushed.content).toMatchObject(shown);
    expect(JSON.stringify(pushed.content)).not.toContain('secret');
  });

  it('is told in short where the push service takes no more', async () => {
    const device = await newDevice();
    service.mostBytes = 500;
    await direct('long '.repeat(200));
    expect((await service.next(device)).content).toMatchObject({ title: 'Parley', body: 'New message' });
    service.mostBytes = 4096;
  });

  it('is a mention, an answer or a direct message, unless the person wants all of a team, or nothing', async () => {
    let device = await newDevice();
    const id = await inTeam('to everybody');
    await reply(ben, id, 'I see');
    const answer = await reply(ada, id, 'good');
    expect((await allOf(device)).map(({ content }) => content.url)).toEqual([`/messages/${answer}`]);

    device = await newDevice({ teams: [{ team, level: 'nothing' }] });
    await inTeam(`@${await usernameOf(ben)} nothing`);
    expect(await allOf(device)).toEqual([]);

    device = await newDevice({ teams: [{ team, level: 'all' }] });
    // The level is known to the posts a moment later.
    let posted = '';
    await until(async () => {
      posted = await inTeam('to all');
      return service.to(device).length > 0;
    });
    expect(service.to(device).at(0)?.headers.urgency).toBe('normal');
    expect(posted).not.toBe('');
    // All of a team is its stream: a reply is told to those whom it concerns, by pushes and by windows.
    const aside = await reply(ada, posted, 'between others');
    expect((await allOf(device)).map(({ content }) => content.url)).not.toContain(`/messages/${aside}`);
    expect((await ben.client.get(`/v1/users/me/inbox/${posted}/notification`)).code).toBe(4040);
  });

  it('is not pushed during a pause, which ends by itself', async () => {
    const device = await newDevice({ paused: true, paused_until: server.clock.now() / 1000 + 3600 });
    const settings = async () => (await ben.client.get('/v1/users/me/push_settings')).data[0];
    expect(await settings()).toMatchObject({ paused: true });
    await direct('in the pause');
    await until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);
    server.clock.advance(3601);
    expect(await settings()).toMatchObject({ paused: false, paused_until: null });
    expect(await allOf(device)).toEqual([]);
  });
});

it('a device that is removed while a message is noticed delays nothing', async () => {
  const { db } = server.running;
  await newDevice();
  const [holding, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const removal = db.write(async (tx) => {
    await tx.all(`DELETE FROM push_subscriptions WHERE user_id = '${ben.id}'`, []);
    holding.resolve();
    await going.promise;
  });
  await holding.promise;
  const posted = direct('to a device that goes');
  // On SQLite the post itself waits.
  if (db.dialect === 'postgres')
    await until(async () => (await runSql(db, 'SELECT pid FROM pg_locks WHERE NOT granted')).length > 0);
  going.resolve();
  await Promise.all([removal, posted]);
  await until(async () => (await runSql(db, 'SELECT id FROM notice_jobs')).length === 0);
});

it('a push that waits is not delayed by later messages of its conversation', async () => {
  await newDevice();
  const { db } = server.running;
  const [{ id }] = (await ben.client.get('/v1/users/me/push_subscriptions')).data;
  const now = server.clock.now();
  const due = async (minutes: number) => {
    const push = newPush({ id, user_id: ben.id }, 'topic', now);
    await db.write((tx) => insertPushes(tx, [{ ...push, next_attempt_at: now + minutes * 60_000 }]));
    const stored = `SELECT next_attempt_at AS due FROM pushes WHERE topic = 'topic'`;
    const [row] = await runSql<{ due: number }>(db, stored);
    return (Number(row?.due) - now) / 60_000;
  };
  expect([await due(2), await due(3), await due(1)]).toEqual([2, 2, 1]);
});

describe('a reaction', () => {
  const react = (person: Person, id: string, emoji = '👍🏽') =>
    person.client.put(`/v1/messages/${id}/reactions/${encodeURIComponent(emoji)}`);
  const later = async () => {
    await until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);
    server.clock.advance(5);
  };

  it('is pushed by choice only, with its emoji and who gave it, and goes away when it is taken back', async () => {
    const id = await post(ben, { text: 'Done **today**', addressed_teams: [team] });
    let device = await newDevice();
    await react(ada, id);
    await later();
    expect(await allOf(device)).toEqual([]);

    device = await newDevice({ reactions: true });
    expect((await ben.client.get('/v1/users/me/push_settings')).data[0].reactions).toBe(true);
    await react(ada, id, '🎉');
    await react(ben, id, '🎉');
    await later();
    const { headers, content } = await service.next(device);
    expect(content).toMatchObject({
      kind: 'message',
      title: 'Ada Test in Design',
      body: '🎉 Done today',
      url: `/messages/${id}`,
    });
    expect(headers).toMatchObject({ urgency: 'normal', topic: content.tag });
    for (const emoji of ['👍', '🎉'])
      await ada.client.delete(`/v1/messages/${id}/reactions/${encodeURIComponent(emoji)}`);
    server.clock.advance(2);
    expect((await service.next(device, 2)).content).toEqual({ kind: 'read', tag: content.tag });
  });

  it('shares a push with others, which goes away when they are seen', async () => {
    const eve = await signUp(server, 'Eve');
    await join(ada, team, eve);
    const id = await post(ben, { text: 'A secret', addressed_teams: [team] });
    const device = await newDevice({ reactions: true, content: 'sender' });
    await Promise.all([react(ada, id), react(ada, id, '🎉')]);
    await react(eve, id);
    await later();
    const { content } = await service.next(device);
    expect(content).toMatchObject({ title: 'Eve Test in Design (2)', body: 'Reacted to your message' });
    await ben.client.put(`/v1/users/me/inbox/${id}/done`);
    server.clock.advance(2);
    expect((await service.next(device, 2)).content).toEqual({ kind: 'read', tag: content.tag });
    await ben.client.patch('/v1/users/me/push_settings', { content: 'none' });
    await react(eve, id, '🙌');
    await later();
    expect((await service.next(device, 3)).content).toMatchObject({
      title: 'Parley (2)',
      body: 'New reaction',
    });
  });

  it('is not pushed where its team or conversation is to be quiet', async () => {
    const id = await post(ben, { text: 'Quiet', addressed_teams: [team] });
    const device = await newDevice({ reactions: true, teams: [{ team, level: 'nothing' }] });
    await react(ada, id);
    await later();
    await ben.client.patch('/v1/users/me/push_settings', { teams: [{ team, level: 'mentions' }] });
    await ben.client.put(`/v1/messages/${id}/mute`);
    await react(ada, id, '🎉');
    await later();
    expect(await allOf(device)).toEqual([]);
  });
});

describe('what was read', () => {
  it('is withdrawn from the devices that show it (claim: push-withdrawn)', async () => {
    const device = await newDevice();
    const id = await direct('read me elsewhere');
    const { content } = await service.next(device);
    await ben.client.put(`/v1/messages/${id}/read`);
    server.clock.advance(2);
    expect((await service.next(device, 2)).content).toEqual({ kind: 'read', tag: content.tag });
  });

  it('is withdrawn, as is what devices show of a team that is deleted', async () => {
    const closing = await makeTeam(ada, [ben], 'Closing');
    const device = await newDevice();
    await post(ada, { text: `@${await usernameOf(ben)}, the last one`, addressed_teams: [closing] });
    const { content } = await service.next(device);
    await direct('Something else');
    await service.next(device, 2);
    expect((await ada.client.delete(`/v1/teams/${closing}`)).status).toBe(200);
    expect((await service.next(device, 3)).content).toEqual({ kind: 'read', tag: content.tag });
    expect(await allOf(device)).toHaveLength(2);
  });

  it('is withdrawn from a deleted team in parts, which another server ends after a crash', async () => {
    const closing = await makeTeam(ada, [ben], 'Closing');
    const message = await post(ada, { text: 'shown by many', addressed_teams: [closing] });
    const { db } = server.running;
    await newDevice();
    const [device] = (await ben.client.get('/v1/users/me/push_subscriptions')).data;
    const shown = Array.from({ length: 2 * ROWS_AT_ONCE + 1 }, (_, at) => ({
      ...newPush({ id: device.id, user_id: ben.id }, `topic ${at}`, 0),
      ...{ is_new: 0, is_shown: 1, message_id: message, reason: 'team', next_attempt_at: null },
      // They are looked at, and not sent, which would take a while.
      lease_until: Number.MAX_SAFE_INTEGER,
    }));
    await db.write((tx) => insertPushes(tx, shown));
    const left = async () =>
      (await runSql(db, `SELECT id FROM pushes WHERE message_id = '${message}' AND next_attempt_at IS NULL`))
        .length;
    const { withdrawTeam } = pushService({ clock: server.clock.now, enabled: true, wake: () => undefined });
    const more = await db.write(async (tx) => {
      // The team is deleted, and a server has done one part of it when it dies.
      await tx.all(
        `INSERT INTO erasures (subject_id, kind, step, place, due_at, lease_until)
         VALUES ('${closing}', 'withdrawal', 0, '${NONE}', ${server.clock.now()}, ${server.clock.now() + 15_000})`,
        [],
      );
      return withdrawTeam(tx, { teamId: closing, userIds: [ada.id, ben.id] });
    });
    expect([more, await left()]).toEqual([true, ROWS_AT_ONCE + 1]);
    server.clock.advance(16);
    await until(async () => (await runSql(db, 'SELECT step FROM erasures')).length === 0);
    expect(await left()).toBe(0);
  });

  it('is withdrawn, too, where it was read while it was being pushed', async () => {
    const device = await newDevice();
    let id = '';
    service.meanwhile.set(device, async () => {
      service.meanwhile.delete(device);
      await ben.client.put(`/v1/messages/${id}/read`);
    });
    id = await direct('read me meanwhile');
    const { content } = await service.next(device);
    expect((await service.next(device, 2)).content).toEqual({ kind: 'read', tag: content.tag });
  });

  it('is withdrawn, too, where a further message came while it was being pushed', async () => {
    const device = await newDevice();
    service.meanwhile.set(device, async () => {
      service.meanwhile.delete(device);
      await direct('a further one');
      await until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);
      await ben.client.put('/v1/users/me/read');
    });
    await direct('read them all');
    const { content } = await service.next(device);
    expect((await service.next(device, 2)).content).toEqual({ kind: 'read', tag: content.tag });
  });

  it('is not pushed, where a window is open in which it is read at once', async () => {
    const device = await newDevice();
    const stream = await EventStream.open(ben.client);
    const goOn = server.clock.hold();
    const id = await direct('seen in the window');
    await ben.client.put(`/v1/messages/${id}/read`);
    const other = await direct('not seen in the window');
    server.clock.advance(5);
    goOn();
    const { content } = await service.next(device);
    expect(content).toMatchObject({ body: 'not seen in the window', url: `/messages/${other}` });
    expect(service.to(device).length).toBe(1);
    stream.close();
  });

  it('is not repeated in a pause that began after it failed', async () => {
    const device = await newDevice();
    service.answers.set(device, { status: 503 });
    await direct('too late by now');
    const isRow = (table: string, condition: string) => {
      const sql = `SELECT id FROM ${table} WHERE user_id = '${ben.id}' AND ${condition}`;
      return until(async () => (await runSql(server.running.db, sql)).length === 1);
    };
    await isRow('push_subscriptions', 'num_failures = 1');
    service.answers.delete(device);
    await ben.client.patch('/v1/users/me/push_settings', { paused: true, paused_until: null });
    server.clock.advance(60);
    await isRow('pushes', 'lease_until = 0 AND is_new = 0 AND next_attempt_at IS NULL');
    await ben.client.patch('/v1/users/me/push_settings', { paused: false });
    expect((await allOf(device)).map(({ content }) => content.body)).toEqual([]);
  });

  it('and what was deleted goes away as well', async () => {
    const device = await newDevice();
    const id = await direct('a slip');
    await service.next(device);
    await ada.client.delete(`/v1/messages/${id}`);
    expect((await service.next(device, 2)).content.kind).toBe('read');
  });
});

it('an open window is told the same, where its browser has no push service', async () => {
  await newDevice();
  const told = async (conversation: string) => {
    await until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);
    return (await ben.client.get(`/v1/users/me/inbox/${conversation}/notification`)).data;
  };
  await ben.client.put('/v1/users/me/read');
  const id = await direct('Lunch?');
  const [{ id: tag }] = (await ben.client.get(`/v1/users/me/conversations?with=${ada.id}`)).data;
  const notice = { kind: 'message', tag, title: 'Ada Test', body: 'Lunch?', url: `/messages/${id}` };
  expect(await told(id)).toMatchObject([notice]);
  const answer = await reply(ada, id, 'Or supper?');
  expect(await told(id)).toMatchObject([
    { tag, title: 'Ada Test (2)', body: 'Or supper?', url: `/messages/${answer}` },
  ]);
  // All direct messages with the same people are one conversation, also by its own id.
  const own = await post(ben, { text: 'Ada?', addressed_users: [ada.id] });
  const another = await direct('Tea, then');
  const shared = { tag, title: 'Ada Test (3)', body: 'Tea, then', url: `/messages/${another}` };
  for (const one of [id, another, tag]) expect(await told(one), one).toMatchObject([shared]);
  expect((await ben.client.get(`/v1/users/me/inbox/${own}/notification`)).code).toBe(4040);
  const aside = await ada.client.post(`/v1/messages/${id}/sidebars`, { users: [ben.id], text: 'Aside' });
  expect(await told(aside.data[0].id)).toMatchObject([{ tag: aside.data[0].id, title: 'Ada Test' }]);
  await ben.client.put(`/v1/users/me/inbox/${aside.data[0].id}/done`);
  await ben.client.put(`/v1/messages/${another}/mute`);
  expect(await told(another)).toMatchObject([{ tag, title: 'Ada Test (2)', body: 'Or supper?' }]);
  await ben.client.put(`/v1/messages/${another}/read`);
  expect((await told(tag))[0]).toMatchObject({ title: 'Ada Test (2)' });
  const silent = [
    { direct: false },
    { paused: true, paused_until: null },
    { quiet_days: [1, 2, 3, 4, 5, 6, 7] },
  ];
  for (const change of silent) {
    await newDevice(change);
    expect(await told(id), JSON.stringify(change)).toEqual([]);
    await newDevice({ quiet_days: [] });
  }
  await newDevice({ content: 'none' });
  expect(await told(id)).toMatchObject([{ title: 'Parley (2)', body: 'New message' }]);
  await ben.client.put(`/v1/messages/${id}/mute`);
  expect(await told(id)).toEqual([]);
  await ben.client.delete(`/v1/messages/${id}/mute`);
  await ben.client.put(`/v1/messages/${id}/read`);
  expect(await told(id)).toEqual([]);
  expect((await ben.client.get('/v1/users/me/inbox/nothing/notification')).code).toBe(4040);

  expect((await ben.client.get(`/v1/users/me/inbox/${team}/notification`)).code).toBe(4040);
  const plain = await inTeam('Good morning');
  expect(await told(team)).toEqual([]);
  await newDevice({ content: 'all', teams: [{ team, level: 'all' }] });
  const ofTeam = { tag: team, title: 'Ada Test in Design', body: 'Good morning', url: `/messages/${plain}` };
  expect(await told(team)).toMatchObject([ofTeam]);
  await ben.client.put(`/v1/users/me/mutes/team/${team}`, { until: null });
  expect(await told(team)).toEqual([]);
  await ben.client.delete(`/v1/users/me/mutes/team/${team}`);
  await ben.client.put('/v1/users/me/read');
  expect((await ben.client.get(`/v1/users/me/inbox/${team}/notification`)).code).toBe(4040);
});

describe('mails', () => {
  it('leave out what was pushed, unless the person wants both (claim: push-or-mail)', async () => {
    let device = await newDevice();
    mailbox.clear();
    const [hook, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    service.meanwhile.set(device, async () => {
      hook.resolve();
      await held.promise;
    });
    await direct('the first, pushed alone');
    await hook.promise;
    // They are collapsed into one push.
    await direct('the second, pushed alone');
    await direct('the third, pushed alone');
    await newPushesAreMade();
    held.resolve();
    expect((await service.next(device, 2)).content.title).toBe('Ada Test (3)');
    device = await newDevice({ mail_too: true });
    await direct('pushed and mailed');
    await service.next(device);
    server.clock.advance(61);
    const mail = await mailbox.next(ben.email, ({ text }) => text.includes('pushed'));
    expect(mail.text).toContain('pushed and mailed');
    expect(mail.text).not.toContain('pushed alone');
  });
});

describe('the settings of notifications', () => {
  it('begin with what concerns a person, and keep the levels of each team', async () => {
    const { client } = ada;
    const path = '/v1/users/me/push_settings';
    expect((await client.get(path)).data[0]).toMatchObject({
      content: 'all',
      team_default: 'mentions',
      teams: [],
    });
    const other = await makeTeam(ada);
    await client.patch(path, { teams: [{ team, level: 'all' }] });
    const [changed] = (await client.patch(path, { teams: [{ team: other, level: 'nothing' }] })).data;
    expect(changed.teams).toEqual([
      { team, level: 'all' },
      { team: other, level: 'nothing' },
    ]);
    const [again] = (await client.patch(path, { teams: [{ team, level: 'mentions' }], quiet_days: [6, 7] }))
      .data;
    expect(again).toMatchObject({ quiet_days: [6, 7] });
    expect(again.teams).toContainEqual({ team, level: 'mentions' });
    const levels = [team.toUpperCase(), await makeTeam(ben)].map((one) => ({ team: one, level: 'all' }));
    expect((await client.patch(path, { teams: levels })).code).toBe(4040);
    const [last] = (await client.patch(path, { teams: levels.slice(0, 1) })).data;
    expect(last.teams).toHaveLength(2);
    expect(last.teams).toContainEqual({ team, level: 'all' });
    const left = await makeTeam(ben, [ada]);
    await client.patch(path, { teams: [{ team: left, level: 'all' }] });
    expect((await client.delete(`/v1/teams/${left}/users/${ada.id}`)).status).toBe(200);
    expect((await client.get(path)).data[0].teams).toEqual(last.teams);
  });

  it('lose no change of several at once', async () => {
    const eve = await signUp(server, 'Eve');
    const teams = await Promise.all(Array.from({ length: 6 }, () => makeTeam(eve)));
    const path = '/v1/users/me/push_settings';
    const changes = [{ direct: false }, { quiet_from: '22:00' }, { quiet_to: '06:00' }];
    const levels = teams.map((id) => ({ team: id, level: 'nothing' }));
    const asked = [...changes, ...levels.map((level) => ({ teams: [level] }))];
    const answers = await Promise.all(asked.map((change) => eve.client.patch(path, change)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const [settings] = (await eve.client.get(path)).data;
    expect(settings).toMatchObject(Object.assign({}, ...changes));
    expect(settings.teams).toEqual(expect.arrayContaining(levels));
  });

  it.each([
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ time_zone: '+01:00' }, 'time_zone'],
    [{ quiet_from: '24:00' }, 'quiet_from'],
    [{ quiet_days: [8] }, 'quiet_days.0'],
    [{ content: 'everything' }, 'content'],
  ])('refuse %j', async (change, reason) => {
    const { body } = await ada.client.patch('/v1/users/me/push_settings', change);
    expect(body.errors[0]).toMatchObject({ code: 4002, reason });
  });
});
