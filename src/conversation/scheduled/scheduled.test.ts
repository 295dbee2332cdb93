import { beforeAll, describe, expect, it } from 'vitest';
import { EventStream } from '../../../test/support/event-stream.ts';
import {
  authorize,
  install,
  join,
  makeTeam,
  type Person,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const { server, host, ada, bob, eve } = scene({
  environment: { ORPHAN_LIFETIME: '600' },
  people: ['Ada', 'Bob', 'Eve'],
  options: { workerIntervalMs: 20, housekeepingMs: 500 },
});
const MESSAGES = '/v1/users/me/scheduled_messages';
const REMINDERS = '/v1/users/me/reminders';
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let team: string;
beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
});

/** A wall time in so many seconds, in UTC: whole minutes. */
const inSeconds = (seconds: number) => {
  const at = Math.ceil((server.clock.now() / 1000 + seconds) / MINUTE) * MINUTE;
  return { local: new Date(at * 1000).toISOString().slice(0, 16), zone: 'Etc/UTC' };
};
const schedule = (by: Person, message: object, seconds = HOUR) =>
  by.client.post(MESSAGES, { send_at: inSeconds(seconds), message });
const listed = async (by: Person) => (await by.client.get(MESSAGES)).data;
const one = async (by: Person, id: string) => (await listed(by)).find((row) => row.id === id);
const settled = (by: Person, id: string) => until(async () => (await one(by, id)).status !== 'pending');
const textsIn = async (by: Person, query: string): Promise<string[]> =>
  (await by.client.get(`/v1/messages?${query}`)).data.map(({ text }) => text);
const notesOf = (person: Person) => textsIn(person, `with=${person.id}`);
const refusal = ({ code, body }: Awaited<ReturnType<typeof schedule>>) => [code, body.errors?.[0]?.reason];
const inTeam = (text: string, of = team) => ({ text, addressed_teams: [of] });

async function upload(): Promise<{ id: string }[]> {
  const raw = new FormData();
  raw.set('file', new Blob(['words']), 'words.txt');
  const { data, text } = await ada.client.ask('POST', '/v1/attachments', { raw });
  expect(data, text).toHaveLength(1);
  return data;
}

describe('a scheduled message', () => {
  it('is posted at its time, as its author would post it, and once (claim: scheduled-once)', async () => {
    const { data } = await schedule(ada, inTeam('Good morning'));
    const [{ id, at }] = data;
    expect(data[0]).toMatchObject({
      ...{ status: 'pending', reason: null, message: inTeam('Good morning'), message_id: null },
      application: null,
    });
    expect(await textsIn(bob, `team=${team}`)).not.toContain('Good morning');
    const stream = await EventStream.open(ada.client);
    server.clock.advance(HOUR + MINUTE);
    await settled(ada, id);
    await stream.until((events) =>
      events.some(({ kind, data }) => kind === 'scheduled' && data.status === 'sent'),
    );
    stream.close();
    const sent = await one(ada, id);
    expect(sent).toMatchObject({ status: 'sent', message: null, at });
    const message = (await bob.client.get(`/v1/messages/${sent.message_id}`)).data[0];
    expect(message).toMatchObject({ text: 'Good morning', author: { id: ada.id }, read: false });
    expect((await textsIn(bob, `team=${team}`)).filter((text) => text === 'Good morning')).toHaveLength(1);
  });

  it('goes to people, as a reply, and with files', async () => {
    const uploaded = await upload();
    const toBob = await schedule(ada, {
      text: 'for Bob',
      addressed_users: [bob.id],
      attachments: { files: [uploaded[0]?.id] },
    });
    const root = (await bob.client.post('/v1/messages', inTeam('Who is in?'))).data[0].id;
    const reply = await schedule(ada, { text: 'I am', reply_to: root });
    // Beyond the time for which an upload is kept that no message holds.
    server.clock.advance(HOUR + MINUTE);
    await settled(ada, toBob.data[0].id);
    await settled(ada, reply.data[0].id);
    expect(await textsIn(bob, `with=${ada.id}`)).toContain('for Bob');
    const replies = (await bob.client.get(`/v1/messages/${root}/replies`)).data;
    expect(replies.map(({ text }) => text)).toEqual(['I am']);
  });

  it('is changed, given another time and cancelled', async () => {
    const { id } = (await schedule(ada, inTeam('first'))).data[0];
    const changed = await ada.client.patch(`${MESSAGES}/${id}`, {
      send_at: inSeconds(DAY),
      message: inTeam('second'),
    });
    expect(changed.data[0]).toMatchObject({ message: inTeam('second'), send_at: inSeconds(DAY) });
    server.clock.advance(2 * HOUR);
    const other = (await schedule(ada, inTeam('a mark'), MINUTE)).data[0].id;
    server.clock.advance(3 * MINUTE);
    await settled(ada, other);
    expect((await one(ada, id)).status).toBe('pending');
    expect((await ada.client.delete(`${MESSAGES}/${id}`)).status).toBe(200);
    expect(await one(ada, id)).toBeUndefined();
    expect((await ada.client.delete(`${MESSAGES}/${id}`)).code).toBe(4040);
  });

  it('is sent now, and once however often that is asked for', async () => {
    const { id } = (await schedule(ada, inTeam('right now'))).data[0];
    const asked = await Promise.all(
      [1, 2, 3].map(() => ada.client.patch(`${MESSAGES}/${id}`, { send_now: true })),
    );
    expect(new Set(asked.map(({ data }) => data[0].message_id)).size).toBe(1);
    expect((await textsIn(bob, `team=${team}`)).filter((text) => text === 'right now')).toHaveLength(1);
    const late = await ada.client.patch(`${MESSAGES}/${id}`, { send_at: inSeconds(HOUR) });
    expect(refusal(late)).toEqual([4090, 'already_sent']);
  });

  it('is not cancelled by a request that comes when it is sent, and neither is a reminder', async () => {
    const { id } = (await schedule(ada, inTeam('gone already'))).data[0];
    const note = (await ada.client.post(REMINDERS, { at: inSeconds(HOUR), text: 'gone' })).data[0].id;
    await ada.client.patch(`${MESSAGES}/${id}`, { send_now: true });
    server.clock.advance(HOUR + MINUTE);
    await until(async () =>
      (await ada.client.get(REMINDERS)).data.some((row) => row.id === note && row.status === 'sent'),
    );
    for (const path of [`${MESSAGES}/${id}`, `${REMINDERS}/${note}`])
      expect(refusal(await ada.client.delete(path))).toEqual([4090, 'already_sent']);
    expect(await one(ada, id)).toMatchObject({ status: 'sent' });
  });

  it('is not sent more than an hour late: its author is asked, and decides (claim: scheduled-late)', async () => {
    const { id } = (await schedule(ada, inTeam('too late'), MINUTE)).data[0];
    const again = (await schedule(ada, inTeam('too late, too'), MINUTE)).data[0].id;
    // As a server that was down.
    server.clock.advance(HOUR + 3 * MINUTE);
    await settled(ada, id);
    await settled(ada, again);
    expect(await one(ada, id)).toMatchObject({ status: 'late', reason: 'late', message: inTeam('too late') });
    expect(await textsIn(bob, `team=${team}`)).not.toContain('too late');
    await until(async () => (await notesOf(ada)).some((text) => text.includes('/scheduled')));
    expect((await ada.client.patch(`${MESSAGES}/${id}`, { send_now: true })).data[0].status).toBe('sent');
    const moved = await ada.client.patch(`${MESSAGES}/${again}`, { send_at: inSeconds(MINUTE) });
    expect(moved.data[0]).toMatchObject({ status: 'pending', reason: null });
    server.clock.advance(3 * MINUTE);
    await settled(ada, again);
    expect(await textsIn(bob, `team=${team}`)).toEqual(expect.arrayContaining(['too late', 'too late, too']));
  });

  it('of somebody who may not write there any more stays with its reason (claim: scheduled-rights)', async () => {
    const gone = await signUp(server, 'Gone');
    const place = await makeTeam(ada, [gone]);
    const { id } = (await schedule(gone, inTeam('from outside', place))).data[0];
    await ada.client.delete(`/v1/teams/${place}/users/${gone.id}`);
    server.clock.advance(HOUR + MINUTE);
    await settled(gone, id);
    expect(await one(gone, id)).toMatchObject({
      ...{ status: 'failed', reason: 'unreachable', message: inTeam('from outside', place) },
      message_id: null,
    });
    expect(await textsIn(ada, `team=${place}`)).toEqual([]);
    await until(async () => (await notesOf(gone)).length === 1);
    expect(refusal(await gone.client.patch(`${MESSAGES}/${id}`, { send_now: true }))).toEqual([4008, place]);
  });

  it('answers a message that was deleted meanwhile with nothing', async () => {
    const root = (await bob.client.post('/v1/messages', inTeam('short-lived'))).data[0].id;
    const { id } = (await schedule(ada, { text: 'an answer', reply_to: root })).data[0];
    await bob.client.delete(`/v1/messages/${root}`);
    server.clock.advance(HOUR + MINUTE);
    await settled(ada, id);
    expect(await one(ada, id)).toMatchObject({ status: 'failed', reason: 'message_gone' });
  });

  it('goes into a sidebar that its author is in, and stays when they are not in it any more (claim: scheduled-sidebar)', async () => {
    const leaving = await signUp(server, 'Leaving');
    const place = await makeTeam(ada, [bob, leaving]);
    const [beside] = (await ada.client.post('/v1/messages', inTeam('A plan', place))).data;
    const begun = { users: [bob.id, leaving.id], text: 'Between us' };
    const sidebar = (await ada.client.post(`/v1/messages/${beside.id}/sidebars`, begun)).data[0].id;
    const aside = { text: 'I agree', sidebar };
    const sent = (await schedule(bob, aside)).data[0].id;
    const kept = (await schedule(leaving, { text: 'From outside', sidebar })).data[0].id;
    expect(await one(bob, sent)).toMatchObject({ status: 'pending', message: aside });
    const spoken = async () =>
      (await ada.client.get(`/v1/sidebars/${sidebar}/messages`)).data.map(({ text }) => text);
    expect(await spoken()).toEqual(['Between us']);
    await ada.client.delete(`/v1/teams/${place}/users/${leaving.id}`);
    expect((await leaving.client.patch(`${MESSAGES}/${kept}`, { send_now: true })).code).toBe(4040);
    server.clock.advance(HOUR + MINUTE);
    await settled(bob, sent);
    await settled(leaving, kept);
    expect(await spoken()).toEqual(['Between us', 'I agree']);
    expect((await one(bob, sent)).message_id).not.toBeNull();
    const left = { status: 'failed', reason: 'unreachable', message: { text: 'From outside', sidebar } };
    expect(await one(leaving, kept)).toMatchObject(left);
    await until(async () => (await notesOf(leaving)).some((text) => text.includes('/scheduled')));
    // Who comes back is asked again, and may send it.
    await join(ada, place, leaving);
    expect((await leaving.client.patch(`${MESSAGES}/${kept}`, { send_now: true })).data[0].status).toBe(
      'sent',
    );
    expect(await spoken()).toEqual(['Between us', 'I agree', 'From outside']);
  });

  it('goes into no sidebar of others, and beside nothing else', async () => {
    const [beside] = (await ada.client.post('/v1/messages', inTeam('Another plan'))).data;
    const begun = { users: [bob.id], text: 'Between us' };
    const made = await ada.client.post(`/v1/messages/${beside.id}/sidebars`, begun);
    const sidebar = made.data[0].id;
    const other = await signUp(server, 'Other');
    await join(ada, team, other);
    for (const by of [other, eve]) expect((await schedule(by, { text: 'me, too', sidebar })).code).toBe(4040);
    expect((await schedule(ada, { text: 'hello', sidebar: beside.id })).code).toBe(4040);
    const wrong = async (message: object) => refusal(await schedule(ada, { text: 'hello', ...message }));
    expect(await wrong({ sidebar, addressed_teams: [team] })).toEqual([4002, 'message.addressed_teams']);
    expect(await wrong({ sidebar, reply_to: beside.id })).toEqual([4002, 'message.sidebar']);
    expect(await wrong({ sidebar: 7 })).toEqual([4002, 'message.sidebar']);
    const seen = (await ada.client.get(`/v1/sidebars/${sidebar}/messages`)).data;
    expect(seen.map(({ text }) => text)).toEqual(['Between us']);
  });

  it('is refused at once where it could not be posted, or has no time', async () => {
    expect((await schedule(eve, inTeam('hello'))).code).toBe(4008);
    expect((await schedule(ada, { text: 'hello' })).code).toBe(4003);
    expect((await schedule(ada, { ...inTeam(''), text: ' ' })).code).toBe(4004);
    expect((await schedule(ada, { text: 'hello', reply_to: team })).code).toBe(4040);
    expect(refusal(await schedule(ada, { ...inTeam('hello'), reply_to: team }))).toEqual([
      4002,
      'message.addressed_teams',
    ]);
    const asked = (send_at: object) => ada.client.post(MESSAGES, { send_at, message: inTeam('hello') });
    const { local } = inSeconds(HOUR);
    for (const [field, send_at] of [
      ['send_at.zone', { local, zone: 'Europe/Nowhere' }],
      ['send_at.zone', { local, zone: '+01:00' }],
      ['send_at.local', { local: '2026-02-30T09:00', zone: 'Etc/UTC' }],
      ['send_at.local', { local: 'tomorrow at 9', zone: 'Etc/UTC' }],
      ['send_at.local', inSeconds(-HOUR)],
      ['send_at.local', inSeconds(121 * DAY)],
    ] as const)
      expect(refusal(await asked(send_at))).toEqual([4002, field]);
    const asInstant = await asked({ local: `${local}:00.000Z`, zone: 'Etc/UTC' });
    expect(asInstant.body.errors).toEqual([
      { code: 4002, reason: 'send_at.local', message: expect.stringContaining('as 2026-12-01T09:00') },
    ]);
    const before = await textsIn(bob, `team=${team}`);
    await schedule(ada, inTeam('only tried'), DAY);
    expect(await textsIn(bob, `team=${team}`)).toEqual(before);
  });

  it('keeps of what was sent only what posting reads, and no more than fits', async () => {
    const long = 'z'.repeat(250_000);
    const kept = await schedule(ada, { ...inTeam('Short'), team: long, addressed_application: null });
    expect(kept.data[0].message).toEqual(inTeam('Short'));
    const direct = await schedule(ada, { text: 'Short', addressed_users: [bob.id], subject: long });
    expect(direct.data[0].message).toEqual({ text: 'Short', addressed_users: [bob.id] });
    const many = { ...inTeam('Short'), mentions: undefined, addressed_teams: Array(4000).fill(team) };
    expect(refusal(await schedule(ada, many))).toEqual([4002, 'message']);
  });

  it('keeps a file for the last one that waits with it', async () => {
    const uploaded = await upload();
    const attachments = { files: [uploaded[0]?.id] };
    const late = await schedule(ada, { ...inTeam('Late'), attachments }, 100 * DAY);
    const soon = await schedule(ada, { ...inTeam('Soon'), attachments });
    const keptUntil = async () => {
      const rows = 'SELECT released_at FROM attachments WHERE id = ?';
      const [row] = await runSql<{ released_at: number }>(server.running.db, rows, [uploaded[0]?.id]);
      return (Number(row?.released_at) - server.clock.now()) / 1000;
    };
    expect(await keptUntil()).toBeGreaterThan(129 * DAY);
    await ada.client.delete(`${MESSAGES}/${soon.data[0].id}`);
    expect(await keptUntil()).toBeGreaterThan(129 * DAY);
    await ada.client.delete(`${MESSAGES}/${late.data[0].id}`);
    expect(await keptUntil()).toBeLessThanOrEqual(0);
  });

  it('goes with thirty others to one conversation in five minutes, and not with more', async () => {
    const place = await makeTeam(ada);
    const at = inSeconds(2 * DAY);
    const at5 = {
      ...at,
      local: new Date(Date.parse(`${at.local}Z`) + 5 * 60_000).toISOString().slice(0, 16),
    };
    const plan = (send_at: object, of = place) =>
      ada.client.post(MESSAGES, { send_at, message: inTeam('many', of) });
    const sent = await Promise.all(Array.from({ length: 31 }, () => plan(at)));
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(refusal(await plan(at))).toEqual([4090, 'too_many_at_once']);
    expect((await plan(at5)).status).toBe(200);
    expect((await plan(at, team)).status).toBe(200);
    const moving = (await plan(at5)).data[0].id;
    expect(refusal(await ada.client.patch(`${MESSAGES}/${moving}`, { send_at: at }))).toEqual([
      4090,
      'too_many_at_once',
    ]);
  });

  it('is listed in the order of its time, page by page, for its author alone', async () => {
    const writer = await signUp(server, 'Writer');
    const place = await makeTeam(writer);
    for (const hours of [3, 1, 2]) await schedule(writer, inTeam(`in ${hours}`, place), hours * HOUR);
    const first = await writer.client.get(`${MESSAGES}?limit=2`);
    const rest = await writer.client.get(`${MESSAGES}?limit=2&cursor=${first.body.meta.next_cursor}`);
    expect([...first.data, ...rest.data].map(({ message }) => message.text)).toEqual([
      'in 1',
      'in 2',
      'in 3',
    ]);
    expect(rest.body.meta.next_cursor).toBeNull();
    const { id } = first.data[0];
    expect((await bob.client.patch(`${MESSAGES}/${id}`, { send_now: true })).code).toBe(4040);
    expect((await bob.client.delete(`${MESSAGES}/${id}`)).code).toBe(4040);
    expect((await writer.client.delete(`${REMINDERS}/${id}`)).code).toBe(4040);
  });

  it('goes with the account of its author, and stands in their archive before', async () => {
    const leaving = await signUp(server, 'Leaving');
    await schedule(leaving, { text: 'to myself', addressed_users: [leaving.id] });
    const rows = () => runSql(server.running.db, `SELECT id FROM scheduled WHERE user_id = '${leaving.id}'`);
    expect(await rows()).toHaveLength(1);
    const archive = await fetch(`${server.url}/v1/users/me/export`, {
      headers: { Cookie: leaving.client.cookie },
    });
    expect(Buffer.from(await archive.arrayBuffer()).includes('scheduled.json')).toBe(true);
    const { password } = leaving.client;
    expect((await leaving.client.ask('DELETE', '/v1/users/me', { json: { password } })).status).toBe(200);
    await until(async () => (await rows()).length === 0);
  });
});

describe('of an application', () => {
  it('is sent by its own token with its rights of that moment, and listed to it alone', async () => {
    const place = await makeTeam(ada, [bob]);
    const app = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
    await install(ada, place, app);
    const { body } = await app.credentials.ask('POST', '/v1/oauth2/token', {
      form: { grant_type: 'client_credentials', team: place },
    });
    const bot = { ...ada, client: server.anonymous().withToken(body.access_token) };
    const { id, application } = (await schedule(bot, inTeam('from the bot', place))).data[0];
    const late = (await schedule(bot, inTeam('after the end', place), 5 * HOUR)).data[0].id;
    expect(application).toBe(app.id);
    expect((await listed(ada)).map((row) => row.id)).not.toContain(id);
    const status = async (of: string) =>
      (
        await runSql<{ status: string; reason: string }>(
          server.running.db,
          `SELECT status, reason FROM scheduled WHERE id = '${of}'`,
        )
      )[0];
    expect((await listed(bot)).map((row) => row.id)).toEqual([id, late]);
    server.clock.advance(HOUR + MINUTE);
    await until(async () => (await status(id))?.status !== 'pending');
    const [posted] = (await bob.client.get(`/v1/messages?team=${place}`)).data;
    expect(posted).toMatchObject({ text: 'from the bot', author_type: 'application' });
    expect((await ada.client.delete(`/v1/teams/${place}/applications/${app.id}`)).status).toBe(200);
    server.clock.advance(4 * HOUR);
    await until(async () => (await status(late))?.status !== 'pending');
    expect(await status(late)).toEqual({ status: 'failed', reason: 'access_ended' });
  });
});

describe('of an application that acts for a person', () => {
  it('is sent while the person agrees, and kept with its reason afterwards', async () => {
    const person = await signUp(server, 'Agreeing');
    const place = await makeTeam(ada, [person]);
    const app = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
    await install(ada, place, app);
    const { access_token } = await authorize(person, place, app);
    const through = { ...person, client: server.anonymous().withToken(access_token) };
    const { id } = (await schedule(through, inTeam('for a person', place))).data[0];
    const late = (await schedule(through, inTeam('without agreement', place), 5 * HOUR)).data[0].id;
    expect((await listed(through)).map((row) => row.id)).toEqual([id, late]);
    const own = (await schedule(person, inTeam('by themselves', place), DAY)).data[0].id;
    expect((await listed(through)).map((row) => row.id)).not.toContain(own);
    expect((await through.client.delete(`${MESSAGES}/${own}`)).code).toBe(4040);
    // The person sees what was scheduled for them, and by which application.
    expect(await one(person, id)).toMatchObject({ application: app.id });
    server.clock.advance(HOUR + MINUTE);
    await settled(person, id);
    const [posted] = (await ada.client.get(`/v1/messages?team=${place}`)).data;
    expect(posted).toMatchObject({ author: { id: person.id }, via_app: { id: app.id } });
    const [grant] = (await person.client.get('/v1/users/me/grants')).data;
    expect((await person.client.delete(`/v1/users/me/grants/${grant.id}`)).status).toBe(200);
    server.clock.advance(4 * HOUR);
    await settled(person, late);
    expect(await one(person, late)).toMatchObject({ status: 'failed', reason: 'access_ended' });
    const now = await person.client.patch(`${MESSAGES}/${late}`, { send_now: true });
    expect(refusal(now)).toEqual([4090, 'access_ended']);
  });

  it('reminds in the name of the application', async () => {
    const person = await signUp(server, 'Reminded');
    const place = await makeTeam(ada, [person]);
    const app = await register(ada, host, { scopes: ['direct:write'] });
    await install(ada, place, app);
    const { access_token } = await authorize(person, place, app);
    const token = server.anonymous().withToken(access_token);
    const made = await token.post(REMINDERS, { at: inSeconds(HOUR), text: 'Water the plants' });
    expect(made.status).toBe(200);
    server.clock.advance(HOUR + MINUTE);
    const note = () => person.client.get(`/v1/messages?with=${person.id}`);
    await until(async () => (await note()).data.length > 0);
    expect((await note()).data[0].via_app).toMatchObject({ id: app.id });
  });
});

describe('a reminder', () => {
  const remind = (by: Person, fields: object, seconds = HOUR) =>
    by.client.post(REMINDERS, { at: inSeconds(seconds), ...fields });
  const statusOf = async (by: Person, id: string) =>
    (await by.client.get(REMINDERS)).data.find((row) => row.id === id)?.status;
  const due = async (by: Person, id: string) => {
    server.clock.advance(HOUR + MINUTE);
    await until(async () => (await statusOf(by, id)) === 'sent');
  };

  it('comes as a new note of the person to themselves (claim: reminder-notes)', async () => {
    const person = await signUp(server, 'Forgetful');
    const { id } = (await remind(person, { text: 'water the plants' })).data[0];
    await due(person, id);
    expect(await notesOf(person)).toEqual(['Reminder: water the plants']);
    await until(async () => (await person.client.get('/v1/users/me/inbox/counts')).data[0].total === 1);
    const [entry] = (await person.client.get('/v1/users/me/inbox')).data;
    expect(entry).toMatchObject({ reasons: ['reminder'], unread: true, num_unread: 1 });
  });

  it('links a message, and never quotes it (claim: reminder-quotes)', async () => {
    const person = await signUp(server, 'Reader');
    const place = await makeTeam(ada, [person]);
    const [first, second] = await Promise.all(
      ['a secret', 'another one'].map(
        async (text) => (await ada.client.post('/v1/messages', inTeam(text, place))).data[0].id,
      ),
    );
    const here = (await remind(person, { message: first })).data[0].id;
    const gone = (await remind(person, { message: second, text: 'look' })).data[0].id;
    await ada.client.delete(`/v1/messages/${second}`);
    await due(person, here);
    await until(async () => (await statusOf(person, gone)) === 'sent');
    const texts = (await notesOf(person)).toSorted();
    expect(texts).toEqual([
      expect.stringMatching(new RegExp(`^Reminder\nhttp\\S+/messages/${first}$`)),
      'Reminder: look\nThe message that you wanted to be reminded of is gone.',
    ]);
    expect(texts.join(' ')).not.toMatch(/secret|another/);
    const left = (await remind(person, { message: first })).data[0].id;
    await ada.client.delete(`/v1/teams/${place}/users/${person.id}`);
    await due(person, left);
    expect((await notesOf(person)).filter((text) => text.includes('is gone'))).toHaveLength(2);
  });

  it('comes late rather than never, and says when it was due', async () => {
    const person = await signUp(server, 'Late');
    await person.client.patch('/v1/users/me', { language: 'de' });
    const { id } = (await remind(person, { text: 'Tee' }, MINUTE)).data[0];
    server.clock.advance(2 * HOUR);
    await until(async () => (await statusOf(person, id)) === 'sent');
    expect(await notesOf(person)).toEqual([
      expect.stringMatching(/^Erinnerung: Tee\nDas war für .* \(Etc\/UTC\) vorgesehen\.$/),
    ]);
  });

  it('is cancelled, and refused without anything to be reminded of', async () => {
    const { id } = (await remind(bob, { text: 'never mind' })).data[0];
    expect((await bob.client.delete(`${REMINDERS}/${id}`)).status).toBe(200);
    expect(await statusOf(bob, id)).toBeUndefined();
    expect(refusal(await remind(bob, {}))).toEqual([4002, 'text']);
    const hidden = (await ada.client.post('/v1/messages', { text: 'mine', addressed_users: [ada.id] }))
      .data[0].id;
    expect((await remind(bob, { message: hidden })).code).toBe(4040);
    expect(refusal(await remind(bob, { text: 'x', at: { local: '9:00', zone: 'Etc/UTC' } }))).toEqual([
      4002,
      'at.local',
    ]);
  });
});

describe('clocks that jump', () => {
  it('back or forth send each once, or keep it with its reason (claim: scheduled-clocks)', async () => {
    const place = await makeTeam(ada, [bob]);
    const ids: string[] = [];
    for (let at = 0; at < 6; at++)
      ids.push((await schedule(ada, inTeam(`jump ${at}`, place), (1 + at * 40) * MINUTE)).data[0].id);
    for (const minutes of [50, -45, 100, -30, 150]) {
      server.clock.advance(minutes * MINUTE);
      const mark = (await schedule(bob, inTeam('mark', place), MINUTE)).data[0].id;
      server.clock.advance(2 * MINUTE);
      await settled(bob, mark);
    }
    await until(async () =>
      (await Promise.all(ids.map((id) => one(ada, id)))).every(({ status }) => status !== 'pending'),
    );
    const rows = await Promise.all(ids.map((id) => one(ada, id)));
    const sent = rows.filter(({ status }) => status === 'sent');
    const texts = (await textsIn(bob, `team=${place}`)).filter((text) => text.startsWith('jump'));
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toHaveLength(sent.length);
    for (const row of rows.filter(({ status }) => status !== 'sent'))
      expect(row).toMatchObject({ status: 'late', reason: 'late', message: { addressed_teams: [place] } });
  });
});
