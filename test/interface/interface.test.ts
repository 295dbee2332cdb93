import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import {
  authorize,
  install,
  join,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host } = scene();
let ada: Person;
let bob: Person;
let cleo: Person;
let stranger: Person;
let team: string;
let application: RegisteredApplication;
let token: Client;

beforeAll(async () => {
  ada = await signUp(server, 'Ada', { last_name: 'Lovelace' });
  bob = await signUp(server, 'Bob', { last_name: 'Ångström' });
  cleo = await signUp(server, 'Cleo');
  stranger = await signUp(server, 'Stranger');
  team = await makeTeam(ada, [bob, cleo]);
  application = await register(ada, host);
  await install(ada, team, application);
  token = server.anonymous().withToken((await authorize(ada, team, application)).access_token);
});

/** A message as it is at any time: its author may have come or gone since. */
const asStored = (item: { author: object }) => ({ ...item, author: { ...item.author, online: null } });
const post = (json: object, client = token) => client.post('/v1/messages', { text: 'hello', ...json });
const first = (answer: { data: unknown[] }) => answer.data[0] as Record<string, unknown>;
const errors = (answer: { body: { errors: unknown[] } }) => answer.body.errors;

/** Field names and the types of their values, as a client sees them. */
function shape(value: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      field === null ? 'null' : Array.isArray(field) ? 'list' : typeof field,
    ]),
  );
}

describe('resources', () => {
  const summary = {
    id: 'string',
    first_name: 'string',
    last_name: 'string',
    username: 'string',
    title: 'string',
    relationship: 'number',
    active: 'boolean',
    online: 'boolean',
    images: 'list',
    email: 'string',
  };
  const teamShape = {
    id: 'string',
    name: 'string',
    color: 'string',
    icon: 'string',
    description: 'string',
    open: 'boolean',
    programs_notify: 'boolean',
    link_previews: 'string',
    num_members: 'number',
    unread_count: 'number',
    active: 'boolean',
    created_at: 'number',
    updated_at: 'number',
  };

  it('the session user', async () => {
    // A user with an open stream of events is online.
    const stream = await EventStream.open(ada.client);
    let answer = await token.get('/v1/users/me');
    while (!answer.data[0].online) answer = await token.get('/v1/users/me');
    stream.close();
    expect(shape(answer.body)).toEqual({ meta: 'object', data: 'list', time: 'number' });
    const me = answer.data[0];
    expect(shape(me)).toEqual({
      id: 'string',
      username: 'string',
      first_name: 'string',
      last_name: 'string',
      title: 'string',
      location: 'string',
      company: 'string',
      origin: 'null',
      type: 'number',
      relationship: 'number',
      superuser: 'boolean',
      developer: 'boolean',
      active: 'boolean',
      online: 'boolean',
      is_mutual_connection: 'boolean',
      facebook_id: 'null',
      online_info: 'null',
      password: 'null',
      created_at: 'number',
      updated_at: 'number',
      images: 'list',
      alternate_emails: 'list',
      alternate_phone_numbers: 'list',
      pending_domains: 'list',
      companies: 'list',
      primary_phone_number: 'object',
      primary_email: 'object',
      unread_counts: 'object',
      prefs: 'object',
      // Added to the interface: the language of the mails, and how the person is.
      language: 'string',
      time_zone: 'null',
      status: 'null',
      do_not_disturb_until: 'null',
      invisible: 'boolean',
      link_previews: 'object',
    });
    expect(me).toMatchObject({ superuser: true, developer: true, online: true });
    expect(me.primary_email).toMatchObject({
      user_id: ada.id,
      address: ada.email,
      verified: false,
      company: null,
    });
    expect(me.prefs).toMatchObject({
      email_on_team_invite: true,
      email_on_team_removed: true,
      email_on_reply_to_your_direct_message: true,
      email_on_at_mention: true,
      email_on_shift_update: true,
      email_on_direct_message: true,
      email_on_sidebar_message: true,
      email_on_team_role_changed: true,
      email_on_team_message: true,
      email_on_reply_to_message_you_replied_to: true,
    });
    expect(Object.values(me.prefs).filter((on) => typeof on !== 'boolean')).toEqual([]);
    const other = first(await bob.client.get('/v1/users/me'));
    expect(other).toMatchObject({ superuser: false, developer: false });
  });

  it('a user by id', async () => {
    const user = first(await token.get(`/v1/users/${bob.id}`)) as { image: Record<string, string> };
    expect(shape(user)).toEqual({
      id: 'string',
      first_name: 'string',
      last_name: 'string',
      username: 'string',
      title: 'string',
      active: 'boolean',
      online: 'boolean',
      email: 'string',
      email_verified: 'boolean',
      image: 'object',
      images: 'list',
    });
    expect(Object.keys(user.image).sort()).toEqual(['default', 'fullwidth', 'icon', 'original', 'square300']);
    const picture = await fetch(user.image.icon as string);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await picture.text()).toContain('BÅ');
    for (const unknown of ['nonsense', '00000000-0000-4000-8000-000000000000', '%25']) {
      const answer = await token.get(`/v1/users/${unknown}`);
      expect([answer.status, errors(answer)]).toEqual([400, [{ message: 'Unknown error', code: 4001 }]]);
    }
  });

  it('memberships and teams', async () => {
    const { data, body } = await token.get(`/v1/teams/${team}/users`);
    expect(body.meta).toEqual({});
    expect(data).toHaveLength(3);
    const own = data.find((item) => item.userid === bob.id);
    expect(shape(own)).toEqual({
      membership_type: 'number',
      is_muted: 'number',
      is_favorite: 'number',
      created_at: 'number',
      updated_at: 'number',
      userid: 'string',
      user: 'object',
      team: 'object',
      inviter: 'object',
    });
    expect(Number.isInteger(own.created_at)).toBe(true);
    expect(shape(own.user)).toEqual(summary);
    expect(shape(own.inviter)).toEqual(summary);
    expect(shape(own.team)).toEqual(teamShape);
    expect(own).toMatchObject({ membership_type: 2, inviter: { id: ada.id }, team: { num_members: 3 } });
    expect(data.find((item) => item.userid === ada.id)).toMatchObject({ membership_type: 1, inviter: null });
    for (const unknown of ['nonsense', stranger.id]) {
      expect((await token.get(`/v1/teams/${unknown}/users`)).code).toBe(4040);
    }
  });

  it('a message', async () => {
    const message = first(await post({ addressed_teams: [team] }));
    expect(shape(message)).toEqual({
      id: 'string',
      text: 'string',
      subject: 'null',
      author: 'object',
      author_type: 'string',
      addressed_users: 'list',
      addressed_teams: 'list',
      attachments: 'list',
      mentions: 'list',
      sidebars: 'list',
      events: 'list',
      tags: 'list',
      via_app: 'object',
      created_at: 'number',
      updated_at: 'number',
      num_replies: 'number',
      num_high_fives: 'number',
      read: 'boolean',
      muted: 'boolean',
      is_muted: 'boolean',
      subscribed_to: 'boolean',
      resurface_html: 'boolean',
      unread_sidebar: 'boolean',
      unread_reply: 'boolean',
      user_high_fived: 'boolean',
      user_replied: 'boolean',
      user_replied_to_sidebar: 'boolean',
      unread_since: 'null',
    });
    expect(shape(message.author as object)).toEqual(summary);
    expect(message.via_app).toEqual({ id: application.id, name: 'Tracker', icon: '', url: `${host.url}/` });
  });
});

describe('posting', () => {
  it.each([
    ['a text', 'one', 'one'],
    ['a list of texts', ['one', 'two'], 'one\ntwo'],
    ['a placeholder', 'see {0}', 'see {0}'],
    ['every script', 'ħéłłø 你好 🎉', 'ħéłłø 你好 🎉'],
  ])('%s', async (_, text, stored) => {
    const posted = first(await post({ text, addressed_teams: [team] }));
    expect(posted.text).toBe(stored);
    expect(first(await ada.client.get(`/v1/messages/${posted.id}`)).text).toBe(stored);
  });

  it.each([
    {},
    { text: '' },
    { text: ' \n ' },
    { text: [] },
    { text: null },
    // A zero-width space, a joiner, a direction mark, two fillers of Hangul, a braille pattern without dots.
    { text: '\u200b\u2060 \u202e\u3164\u115f\u2800' },
    { text: ['\ufeff', '\u200d'] },
    { attachments: {} },
    { attachments: [] },
  ])('neither text nor attachments: %j', async (json) => {
    const answer = await token.post('/v1/messages', json);
    expect([answer.status, errors(answer)]).toEqual([
      400,
      [{ message: 'text or attachments cannot be empty', code: 4004 }],
    ]);
  });

  it('attachments alone are enough', async () => {
    const links = await token.post('/v1/messages', {
      addressed_teams: [team],
      attachments: { links: [{ url: 'https://example.org/a', title: 'A' }] },
    });
    expect(links.data[0].attachments).toEqual([{ type: 'link', url: 'https://example.org/a', title: 'A' }]);
    const own = { kind: 'poll', options: [1, { two: null }] };
    const kept = await token.post('/v1/messages', { addressed_teams: [team], attachments: own });
    expect(kept.data[0].attachments).toEqual([own]);
  });

  it.each([
    ['nobody', {}, 4003],
    ['nobody, in words', { addressed_users: { ids: [], emails: [] }, addressed_teams: [] }, 4003],
    ['two teams', { addressed_teams: ['a', 'b'] }, 4005],
    ['an unknown team', { addressed_teams: ['nonsense'] }, 4008],
    ['an unknown user', { addressed_users: ['00000000-0000-4000-8000-000000000000'] }, 4008],
    ['an unknown email', { addressed_users: { emails: ['who@example.org'] } }, 4008],
    ['a field of the wrong type', { addressed_users: 7 }, 4002],
  ])('to %s', async (_, json, code) => {
    expect((await post(json)).code).toBe(code);
  });

  it('to another message, which is answered elsewhere: nothing is posted to the whole team', async () => {
    const { body } = await post({ addressed_teams: [team], reply_to: team });
    const message = expect.stringContaining('/v1/messages/{message}/replies');
    expect(body.errors).toEqual([{ code: 4002, reason: 'reply_to', message }]);
    expect((await post({ addressed_teams: [team], reply_to: null })).status).toBe(200);
  });

  it('to a team and a user, to a user without a shared team, or to a foreign team', async () => {
    expect((await post({ addressed_teams: [team], addressed_users: [bob.id] })).code).toBe(4006);
    expect((await post({ addressed_users: [stranger.id] })).code).toBe(4008);
    const theirs = await makeTeam(stranger);
    expect((await post({ addressed_teams: [theirs] })).code).toBe(4008);
  });

  it('to several who cannot be reached: each is named', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const { body } = await token.ask('POST', '/v1/messages', {
      json: {
        text: 'To all',
        addressed_users: { ids: [bob.id, unknown, stranger.id], emails: ['who@example.org'] },
      },
    });
    expect(body.errors).toEqual(
      [unknown, stranger.id, 'who@example.org'].map((reason) => ({
        code: 4008,
        reason,
        message: expect.any(String),
      })),
    );
  });

  it('to users by id and by email; duplicates collapse; to oneself', async () => {
    const ids = first(await post({ addressed_users: [bob.id, bob.id.toUpperCase(), cleo.id] }));
    expect(ids).toMatchObject({ addressed_users: [bob.id, cleo.id], addressed_teams: [] });
    const both = { ids: [bob.id], emails: [bob.email.toUpperCase(), cleo.email] };
    expect(first(await post({ addressed_users: both })).addressed_users).toEqual([bob.id, cleo.id]);
    const note = first(await post({ addressed_users: [ada.id] }));
    expect(note).toMatchObject({ tags: ['_sent', '_inbox', '_direct'], read: true });
  });

  it('is not visible to others', async () => {
    const direct = first(await post({ addressed_users: [bob.id] }));
    expect((await bob.client.get(`/v1/messages/${direct.id}`)).status).toBe(200);
    expect((await cleo.client.get(`/v1/messages/${direct.id}`)).code).toBe(4040);
    const inTeam = first(await post({ addressed_teams: [team] }));
    expect((await stranger.client.get(`/v1/messages/${inTeam.id}`)).code).toBe(4040);
  });

  it('at most 16,000 characters, counted as characters', async () => {
    expect((await post({ text: '🎉'.repeat(16_000), addressed_teams: [team] })).status).toBe(200);
    expect((await post({ text: 'x'.repeat(16_001), addressed_teams: [team] })).code).toBe(4002);
  });
});

describe('mentions and objects', () => {
  const create = async (fields: object = {}) =>
    application.credentials.post(`/v1/applications/${application.id}/objects`, {
      name: 'Task',
      team,
      type: 'task',
      url: 'tasks/1',
      ...fields,
    });

  it('a mention links to the object until it is deleted', async () => {
    const object = first(await create());
    expect(Object.keys(object)).toEqual(['id']);
    const mentions = [{ type: 'appobject', id: object.id, name: 'Task' }];
    const posted = first(await post({ text: '{0} is done', addressed_teams: [team], mentions }));
    expect(posted.mentions).toEqual([{ ...mentions[0], url: `${host.url}/tasks/1` }]);
    const path = `/v1/applications/${application.id}/objects/${object.id}`;
    expect((await application.credentials.delete(path)).body).toMatchObject({ data: [], meta: {} });
    const after = first(await ada.client.get(`/v1/messages/${posted.id}`));
    expect(after.mentions).toEqual([{ ...mentions[0], url: null }]);
    const again = await application.credentials.delete(path);
    expect([again.status, errors(again)]).toEqual([404, [{ message: 'Not found', code: 4040 }]]);
  });

  it('an object stands below a base address that has a query, too', async () => {
    const own = await register(ada, host, { base_url: `${host.url}/app?tenant=1` });
    await install(ada, team, own);
    const fields = { name: 'Task', team, type: 'task', url: '/tasks/1?open' };
    const { id } = first(await own.credentials.post(`/v1/applications/${own.id}/objects`, fields));
    const { access_token } = await authorize(ada, team, own);
    const mentions = [{ type: 'appobject', id, name: 'Task' }];
    const json = { text: '{0}', addressed_teams: [team], mentions };
    const posted = first(await post(json, server.anonymous().withToken(access_token)));
    expect(posted.mentions).toMatchObject([{ url: `${host.url}/app/tasks/1?open` }]);
  });

  it('a wrong mention is refused with a reason', async () => {
    const { id } = first(await create());
    const mention = { type: 'appobject', id, name: 'Task' };
    const reason = async (json: object, client = token) => {
      const [error] = errors(
        await post({ text: '{0}', addressed_teams: [team], ...json }, client),
      ) as object[];
      return error;
    };
    expect(await reason({ mentions: [mention, mention] })).toMatchObject({ code: 4007, reason: 'several' });
    expect(await reason({ mentions: [mention], text: 'x' })).toMatchObject({
      code: 4007,
      reason: 'no_placeholder',
    });
    expect(await reason({ mentions: [{ ...mention, id: bob.id }] })).toMatchObject({
      code: 4007,
      reason: 'not_found',
    });
    expect(await reason({ mentions: [mention] }, ada.client)).toMatchObject({
      code: 4007,
      reason: 'not_found',
    });
    expect(await reason({ mentions: [{ ...mention, type: 'user' }] })).toMatchObject({ code: 4007 });
  });

  it('an object belongs to a team that has the application, below its base address', async () => {
    const elsewhere = await makeTeam(ada);
    for (const wrong of [elsewhere, stranger.id, 'nonsense']) {
      const answer = await create({ team: wrong });
      expect(errors(answer)[0]).toMatchObject({ code: 4030, reason: 'app_not_installed' });
    }
    for (const url of [
      'https://evil.example/',
      '//evil.example/',
      '\\\\evil',
      'javascript:alert(1)',
      '../../x',
    ]) {
      const { code } = await create({ url });
      expect(url === '../../x' ? [4002, undefined] : [4002]).toContain(code);
    }
    const missing = await application.credentials.post(`/v1/applications/${application.id}/objects`, {});
    expect((errors(missing) as { reason: string }[]).map(({ reason }) => reason).sort()).toEqual([
      'name',
      'team',
      'type',
      'url',
    ]);
    const other = await register(ada, host);
    expect((await other.credentials.get(`/v1/applications/${application.id}/objects`)).code).toBe(4010);
  });
});

describe('computed fields', () => {
  it('unread counts, tags and read follow what was posted', async () => {
    const [author, reader] = [await signUp(server, 'Author'), await signUp(server, 'Reader')];
    const fresh = await makeTeam(author, [reader]);
    const counts = async (person: Person) => first(await person.client.get('/v1/users/me')).unread_counts;
    const posted = first(await post({ addressed_teams: [fresh] }, author.client));
    await post({ addressed_teams: [fresh] }, author.client);
    await post({ addressed_users: [reader.id] }, author.client);
    expect(posted).toMatchObject({ tags: ['_sent'], read: true, unread_since: null, via_app: null });
    expect(first(await reader.client.get(`/v1/messages/${posted.id}`))).toMatchObject({
      tags: ['_inbox', '_other', '_unread'],
      read: false,
      unread_since: posted.created_at,
    });
    expect(await counts(reader)).toEqual({
      teams: { [fresh]: 2 },
      user: { total: 3, direct: 1 },
      tags: { _sent: 0, _other: 2, _inbox: 3, _direct: 1, _unread: 3 },
    });
    expect(await counts(author)).toMatchObject({ teams: { [fresh]: 0 }, user: { total: 0, direct: 0 } });
    expect((await reader.client.get('/v1/messages?tag=_unread')).data).toHaveLength(3);
    expect((await reader.client.get('/v1/messages?tag=_direct')).data).toHaveLength(1);
    expect((await author.client.get('/v1/messages?tag=_sent')).data).toHaveLength(3);
    expect(first(await reader.client.get(`/v1/teams/${fresh}`)).unread_count).toBe(2);
    // Writing in between reads one's own message, and nothing else.
    await post({ addressed_teams: [fresh] }, reader.client);
    expect(await counts(reader)).toMatchObject({ teams: { [fresh]: 2 }, user: { total: 3 } });
    expect((await reader.client.get('/v1/messages?tag=_unread')).data).toHaveLength(3);
  });

  it('online follows the stream of events, num_members the members', async () => {
    const guest = await signUp(server, 'Guest');
    await join(ada, team, guest);
    const seen = () => token.get(`/v1/users/${guest.id}`).then(first);
    expect((await seen()).online).toBe(false);
    const watching = await EventStream.open(ada.client);
    const stream = await EventStream.open(guest.client);
    await watching.until((events) => events.some(({ data }) => data.user === guest.id && data.online));
    expect((await seen()).online).toBe(true);
    stream.close();
    await expect
      .poll(async () => {
        server.clock.advance(7);
        return (await seen()).online;
      })
      .toBe(false);
    await watching.until((events) =>
      events.some(({ data }) => data.user === guest.id && data.online === false),
    );
    watching.close();
    expect(first(await ada.client.get(`/v1/teams/${team}`)).num_members).toBe(4);
    await guest.client.delete(`/v1/teams/${team}/users/${guest.id}`);
    expect(first(await ada.client.get(`/v1/teams/${team}`)).num_members).toBe(3);
  });
});

describe('connections and own teams', () => {
  const connections = (query = '') => token.get(`/v1/users/me/connections${query}`);
  const names = (answer: { data: { first_name: string }[] }) =>
    answer.data.map(({ first_name }) => first_name);

  it('are the members of all teams, counted unless searched by name', async () => {
    const all = await connections();
    expect(names(all)).toEqual(['Bob', 'Cleo']);
    expect(all.body.meta).toEqual({ num_connections: 2 });
    const found = await connections(`?query=${encodeURIComponent('ÅNG')}`);
    expect([names(found), found.body.meta]).toEqual([['Bob'], {}]);
    expect(names(await connections('?query=%25'))).toEqual([]);
    expect(names(await connections(`?users=${bob.id}`))).toEqual(['Cleo']);
    expect(names(await connections(`?users=${bob.id}&users=${cleo.id}`))).toEqual([]);
    expect((await connections('?users=nonsense')).code).toBe(4002);
    expect(names(await connections(`?users=${bob.id}&query=cle`))).toEqual(['Cleo']);
  });

  it('are those of one team, for a token of its own', async () => {
    expect(names(await connections(`?team=${team}`))).toEqual(['Bob', 'Cleo']);
    const other = await makeTeam(ada, [bob]);
    expect((await connections(`?team=${other}`)).code).toBe(4040);
    expect((await connections('?team=nonsense')).code).toBe(4040);
  });

  it('are found by the user names that mention them', async () => {
    const username = (await connections('?query=bob')).data[0].username as string;
    const found = await connections(`?usernames=${username.toUpperCase()}&usernames=nobody`);
    expect([names(found), found.body.meta]).toEqual([['Bob'], {}]);
    const alien = first(await stranger.client.get('/v1/users/me')).username;
    expect(names(await connections(`?usernames=${alien}`))).toEqual([]);
    expect(names(await connections('?usernames='))).toEqual([]);
  });

  it('page by cursor', async () => {
    const page = await connections('?limit=1');
    expect([names(page), page.body.meta.num_connections]).toEqual([['Bob'], 2]);
    const next = await connections(`?limit=1&cursor=${page.body.meta.next_cursor}`);
    expect([names(next), next.body.meta.next_cursor]).toEqual([['Cleo'], null]);
    expect((await connections('?cursor=nonsense')).code).toBe(4002);
    const foreign = Buffer.from(JSON.stringify(['bob', 'no id'])).toString('base64url');
    expect((await connections(`?cursor=${foreign}`)).code).toBe(4002);
    expect((await connections('?limit=0')).code).toBe(4002);
    const members = await token.get(`/v1/teams/${team}/users?limit=2`);
    const rest = await token.get(`/v1/teams/${team}/users?limit=2&cursor=${members.body.meta.next_cursor}`);
    expect(members.data.length + rest.data.length).toBe(3);
    expect(rest.body.meta.next_cursor).toBe(null);
  });

  it('keep both of two changes that are made at once', async () => {
    const own = await makeTeam(ada, [bob]);
    await ada.client.patch(`/v1/teams/${own}/users/${bob.id}`, { membership_type: 1 });
    for (let round = 1; round <= 10; round++) {
      const flag = round % 2 === 1;
      await Promise.all([
        ada.client.patch(`/v1/users/me/teams/${own}`, { is_muted: flag }),
        ada.client.patch(`/v1/users/me/teams/${own}`, { is_favorite: flag }),
        ada.client.patch(`/v1/teams/${own}`, { name: `Name ${round}` }),
        bob.client.patch(`/v1/teams/${own}`, { icon: `${round}` }),
      ]);
      const { data } = await ada.client.get('/v1/users/me/teams');
      expect(data.find((membership) => membership.team.id === own)).toMatchObject({
        is_muted: Number(flag),
        is_favorite: Number(flag),
        team: { name: `Name ${round}`, icon: `${round}` },
      });
    }
    await ada.client.delete(`/v1/teams/${own}`);
  });

  it('own teams are memberships, or with users the ids of common teams', async () => {
    const second = await makeTeam(ada, [bob]);
    const own = await token.get('/v1/users/me/teams');
    expect(own.data.map((item) => item.team.id)).toEqual(expect.arrayContaining([team, second]));
    expect(own.data.every((item) => item.userid === ada.id)).toBe(true);
    const common = await token.get(`/v1/users/me/teams?users=${bob.id},${cleo.id}`);
    expect(common.data).toEqual([team]);
    const repeated = await token.get(`/v1/users/me/teams?users=${bob.id}&users=${cleo.id}`);
    expect(repeated.data).toEqual([team]);
    expect((await token.get('/v1/users/me/teams?users=nonsense')).code).toBe(4002);
    await ada.client.delete(`/v1/teams/${second}`);
  });
});

describe('idempotency keys', () => {
  const key = (name: string) => ({ 'Idempotency-Key': name });

  it('the same key and body get the first answer, another body is refused', async () => {
    const body = { text: 'once', addressed_teams: [team] };
    const one = await token.post('/v1/messages', body, key('a'));
    const two = await token.post('/v1/messages', body, key('a'));
    expect(two.data.map(asStored)).toEqual(one.data.map(asStored));
    const other = await token.post('/v1/messages', { ...body, text: 'other' }, key('a'));
    expect([other.status, other.code]).toEqual([409, 4090]);
    const mine = await ada.client.post('/v1/messages', body, key('a'));
    expect(mine.data[0].id).not.toBe(one.data[0].id);
    server.clock.advance(24 * 3600 - 60);
    // The access token has expired meanwhile; the key belongs to user and application, not to the token.
    const renewed = server.anonymous().withToken((await authorize(ada, team, application)).access_token);
    const again = await renewed.post('/v1/messages', body, key('a'));
    expect(again.data.map(asStored)).toEqual(one.data.map(asStored));
    server.clock.advance(120);
    expect((await renewed.post('/v1/messages', body, key('a'))).data[0].id).not.toBe(one.data[0].id);
    token = renewed;
  });

  it('twenty at once make one message', async () => {
    const text = 'twenty at once';
    const body = { text, addressed_teams: [team] };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ada.client.post('/v1/messages', body, key('b'))),
    );
    expect(new Set(answers.map(({ data }) => data[0].id)).size).toBe(1);
    const { data } = await ada.client.get(`/v1/messages?team=${team}&limit=200`);
    expect(data.filter((message) => message.text === text)).toHaveLength(1);
  });

  it('a refusal does not use the key up', async () => {
    expect((await ada.client.post('/v1/messages', { text: 'x' }, key('c'))).code).toBe(4003);
    const answer = await ada.client.post('/v1/messages', { text: 'x', addressed_teams: [team] }, key('c'));
    expect(answer.status).toBe(200);
    expect((await ada.client.post('/v1/messages', { text: 'x' }, key('x'.repeat(300)))).code).toBe(4003);
  });
});

it('doubled and trailing slashes reach the same route', async () => {
  for (const path of ['//v1/users/me', '/v1//users/me', '/v1/users/me/', '//v1//users//me//']) {
    const answer = await ada.client.get(path);
    expect(answer.data[0].id).toBe(ada.id);
  }
});

it('with a session cookie, a request that changes something must come from our own pages', async () => {
  const crossSite: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ];
  for (const headers of crossSite) {
    const answer = await ada.client.post('/v1/teams', { name: 'X' }, headers);
    expect(errors(answer)[0]).toMatchObject({ code: 4030, reason: 'cross_site' });
  }
  const own = await ada.client.post('/v1/teams', { name: 'X' }, { 'Sec-Fetch-Site': 'same-origin' });
  expect(own.status).toBe(200);
  await ada.client.delete(`/v1/teams/${own.data[0].id}`);
});

it('a team keeps an admin', async () => {
  const { client, id } = ada;
  const own = await makeTeam(ada, [bob]);
  expect((await client.delete(`/v1/teams/${own}/users/${id}`)).code).toBe(4090);
  expect((await client.patch(`/v1/teams/${own}/users/${id}`, { membership_type: 2 })).code).toBe(4090);
  await client.patch(`/v1/teams/${own}/users/${bob.id}`, { membership_type: 1 });
  expect((await client.delete(`/v1/teams/${own}/users/${id}`)).status).toBe(200);
  await bob.client.delete(`/v1/teams/${own}`);
});
