import { beforeAll, describe, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { dumpTables } from '../../../test/support/tables.ts';

const { server, ada, bob, cy, eve } = scene({ people: ['Ada', 'Bob', 'Cy', 'Eve'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(ada, [bob, cy]);
});

async function post(author: Person, json: object = { addressed_teams: [team] }): Promise<string> {
  const { data, text } = await author.client.post('/v1/messages', { text: 'hello', ...json });
  if (!data) throw new Error(text);
  return data[0].id;
}

const shown = async (viewer: Person, id: string) => (await viewer.client.get(`/v1/messages/${id}`)).data[0];

describe('a reply', () => {
  it('goes to those who see what it answers, also when it answers a reply', async () => {
    const id = await post(ada, { addressed_users: [bob.id] });
    const first = await bob.client.post(`/v1/messages/${id}/replies`, { text: 'first' });
    expect(first.data[0]).toMatchObject({
      reply_to: id,
      addressed_users: [bob.id],
      text: 'first',
      read: true,
    });
    const second = await ada.client.post(`/v1/messages/${first.data[0].id}/replies`, { text: 'second' });
    expect(second.data[0].reply_to).toBe(id);
    const { data } = await bob.client.get(`/v1/messages/${id}/replies`);
    expect(data.map(({ text }) => text)).toEqual(['first', 'second']);
    expect(await shown(bob, id)).toMatchObject({ num_replies: 2, user_replied: true, unread_reply: true });
    expect((await cy.client.get(`/v1/messages/${id}/replies`)).code).toBe(4040);
    expect((await cy.client.get(`/v1/messages/${first.data[0].id}`)).code).toBe(4040);
    expect((await cy.client.post(`/v1/messages/${id}/replies`, { text: 'x' })).code).toBe(4040);
  });

  it('is in no list of its own, and needs a text', async () => {
    const id = await post(ada);
    const { data } = await bob.client.post(`/v1/messages/${id}/replies`, { text: 'a reply' });
    const listed = await ada.client.get(`/v1/messages?team=${team}`);
    expect(listed.data.some((message) => message.id === data[0].id)).toBe(false);
    for (const text of [' ', '\u200b'])
      expect((await bob.client.post(`/v1/messages/${id}/replies`, { text })).code).toBe(4004);
  });

  it('gets a place of its own, however many come at once', async () => {
    const id = await post(ada);
    const people = [ada, bob, cy, ada, bob, cy, ada, bob];
    await Promise.all(
      people.map((author) => author.client.post(`/v1/messages/${id}/replies`, { text: 'x' })),
    );
    expect((await shown(ada, id)).num_replies).toBe(8);
    expect((await ada.client.get(`/v1/messages/${id}/replies`)).data).toHaveLength(8);
  });

  it('that was written before somebody joined is read to them', async () => {
    const id = await post(ada);
    await ada.client.post(`/v1/messages/${id}/replies`, { text: 'early' });
    server.clock.advance(1);
    const late = await signUp(server, 'Late');
    const invited = await ada.client.post(`/v1/teams/${team}/invitations`, { emails: [late.email] });
    await late.client.put(`/v1/invitations/${invited.data[0].token}`);
    expect(await shown(late, id)).toMatchObject({ read: true, num_replies: 1, unread_reply: false });
  });
});

describe('high fives', () => {
  it('count once for each person', async () => {
    const id = await post(ada);
    const path = `/v1/messages/${id}/high_five`;
    await Promise.all([bob, bob, cy, cy].map(({ client }) => client.put(path)));
    expect(await shown(bob, id)).toMatchObject({ num_high_fives: 2, user_high_fived: true });
    expect((await bob.client.delete(path)).data[0]).toMatchObject({
      num_high_fives: 1,
      user_high_fived: false,
    });
    expect((await bob.client.delete(path)).data[0].num_high_fives).toBe(1);
    expect((await eve.client.put(path)).code).toBe(4040);
  });

  it('are listed with those who gave them, the newest first', async () => {
    const id = await post(ada);
    for (const { client } of [bob, cy, ada]) {
      await client.put(`/v1/messages/${id}/high_five`);
      server.clock.advance(1);
    }
    const path = `/v1/messages/${id}/high_fives`;
    const given = async (query = '') => {
      const { data, body } = await bob.client.get(`${path}${query}`);
      return { ids: data.map((person) => person.id), next: body.meta.next_cursor };
    };
    expect(await given()).toEqual({ ids: [ada.id, cy.id, bob.id], next: null });
    const page = await given('?limit=2');
    expect(page.ids).toEqual([ada.id, cy.id]);
    expect(await given(`?limit=2&cursor=${page.next}`)).toEqual({ ids: [bob.id], next: null });
    await cy.client.delete(`/v1/messages/${id}/high_five`);
    expect((await given()).ids).toEqual([ada.id, bob.id]);
    expect((await eve.client.get(path)).code).toBe(4040);
    expect((await bob.client.get(`${path}?limit=0`)).code).toBe(4002);
  });
});

describe('editing', () => {
  it('keeps what was there before', async () => {
    const id = await post(ada);
    await ada.client.patch(`/v1/messages/${id}`, { text: 'better' });
    const same = await ada.client.patch(`/v1/messages/${id}`, { text: 'better' });
    expect(same.data[0]).toMatchObject({
      text: 'better',
      events: [{ type: 'edited', user: ada.id, created_at: expect.any(Number) }],
    });
    expect((await bob.client.get(`/v1/messages/${id}/versions`)).data).toEqual([
      { text: 'hello', user: ada.id, replaced_at: same.data[0].updated_at },
    ]);
    expect(same.data[0].updated_at).toBeGreaterThan(same.data[0].created_at);
    expect((await shown(bob, id)).events).toHaveLength(1);
  });

  it('is for its author, and needs a text', async () => {
    const id = await post(bob);
    const path = `/v1/messages/${id}`;
    expect((await ada.client.patch(path, { text: 'x' })).body.errors[0]).toMatchObject({
      code: 4030,
      reason: 'not_author',
    });
    for (const text of [' ', '\u200b']) expect((await bob.client.patch(path, { text })).code).toBe(4002);
    expect((await bob.client.patch(path, { text: 'x'.repeat(16_001) })).code).toBe(4002);
    expect((await eve.client.patch(path, { text: 'x' })).code).toBe(4040);
  });
});

describe('deleting', () => {
  it('leaves the place and the replies, and nothing of what was said', async () => {
    const id = await post(bob, { addressed_teams: [team], text: 'the secret' });
    await bob.client.patch(`/v1/messages/${id}`, { text: 'the other secret' });
    await cy.client.post(`/v1/messages/${id}/replies`, { text: 'what?' });
    expect((await bob.client.delete(`/v1/messages/${id}`)).status).toBe(200);
    expect((await bob.client.delete(`/v1/messages/${id}`)).status).toBe(200);
    const left = await cy.client.get(`/v1/messages/${id}`);
    expect(left.text).not.toContain('secret');
    expect(left.data[0]).toMatchObject({
      text: '',
      num_replies: 1,
      events: [{ type: 'deleted', user: bob.id }],
    });
    expect((await cy.client.get(`/v1/messages/${id}/replies`)).data).toMatchObject([{ text: 'what?' }]);
    expect((await cy.client.get(`/v1/messages/${id}/versions`)).data).toEqual([]);
    const tables = await dumpTables(server.running.db);
    for (const [name, rows] of tables) expect([name, rows.includes('secret')]).toEqual([name, false]);
  });

  it('is for its author and the admins of its team; nothing can be added afterwards', async () => {
    const id = await post(bob);
    expect((await cy.client.delete(`/v1/messages/${id}`)).code).toBe(4030);
    expect((await ada.client.delete(`/v1/messages/${id}`)).status).toBe(200);
    for (const answer of [
      await cy.client.post(`/v1/messages/${id}/replies`, { text: 'x' }),
      await cy.client.put(`/v1/messages/${id}/high_five`),
      await bob.client.patch(`/v1/messages/${id}`, { text: 'x' }),
      await cy.client.post(`/v1/messages/${id}/sidebars`, { users: [bob.id], text: 'x' }),
    ]) {
      expect(answer.body.errors[0]).toMatchObject({ code: 4090, reason: 'deleted' });
    }
    const direct = await post(bob, { addressed_users: [ada.id] });
    expect((await ada.client.delete(`/v1/messages/${direct}`)).code).toBe(4030);
  });
});

describe('a sidebar', () => {
  it('is one of fifty that a person begins beside a message, also at once (claim: sidebars-begun)', async () => {
    const id = await post(ada);
    const begin = (author: Person) =>
      author.client.post(`/v1/messages/${id}/sidebars`, { users: [cy.id], text: 'x' });
    for (let n = 0; n < 48; n++) await begin(bob);
    const last = await Promise.all([begin(bob), begin(bob), begin(bob), begin(bob)]);
    expect(last.map(({ status, body }) => body.errors?.[0].reason ?? status).sort()).toEqual([
      200,
      200,
      'too_many_sidebars',
      'too_many_sidebars',
    ]);
    expect((await begin(ada)).status).toBe(200);
    expect((await shown(cy, id)).sidebars).toHaveLength(51);
  });

  it('is for those who were named, and nobody else learns of it', async () => {
    const id = await post(ada);
    const opened = await bob.client.post(`/v1/messages/${id}/sidebars`, {
      users: [cy.id],
      text: 'between us',
    });
    const sidebar = opened.data[0];
    expect(sidebar).toMatchObject({ message: id, num_messages: 1, unread: 0, users: [bob.id, cy.id].sort() });
    expect(await shown(cy, id)).toMatchObject({
      unread_sidebar: true,
      sidebars: [{ id: sidebar.id, unread: 1 }],
    });
    const path = `/v1/sidebars/${sidebar.id}/messages`;
    const { data } = await cy.client.get(path);
    expect(data).toMatchObject([
      { text: 'between us', sidebar: sidebar.id, read: false, addressed_teams: [] },
    ]);
    await cy.client.post(path, { text: 'indeed' });
    await cy.client.put(`/v1/messages/${data[0].id}/read`);
    expect(await shown(cy, id)).toMatchObject({ unread_sidebar: false, user_replied_to_sidebar: true });

    const outside = await shown(ada, id);
    expect(outside).toMatchObject({ sidebars: [], unread_sidebar: false, num_replies: 0 });
    expect((await ada.client.get(`/v1/messages/${id}/sidebars`)).data).toEqual([]);
    expect((await ada.client.get(path)).code).toBe(4040);
    expect((await ada.client.post(path, { text: 'x' })).code).toBe(4040);
    for (const route of ['read', 'mute', 'high_five']) {
      expect((await ada.client.put(`/v1/messages/${data[0].id}/${route}`)).code).toBe(4040);
    }
    // To administer the team gives no right in it.
    expect((await ada.client.delete(`/v1/messages/${data[0].id}`)).code).toBe(4040);
    expect((await cy.client.delete(`/v1/messages/${data[0].id}`)).code).toBe(4030);
  });

  it('needs people who see the message', async () => {
    const id = await post(ada, { addressed_users: [bob.id] });
    const open = (users: string[]) => ada.client.post(`/v1/messages/${id}/sidebars`, { users, text: 'x' });
    expect((await open([cy.id])).code).toBe(4008);
    expect((await open(['nonsense'])).code).toBe(4008);
    expect((await open([])).code).toBe(4002);
    expect((await open([bob.id])).status).toBe(200);
    const answer = await ada.client.get(`/v1/messages/${id}/sidebars`);
    const inside = await ada.client.get(`/v1/sidebars/${answer.data[0].id}/messages`);
    const nested = await ada.client.post(`/v1/messages/${inside.data[0].id}/sidebars`, {
      users: [bob.id],
      text: 'x',
    });
    expect(nested.code).toBe(4090);
    expect((await ada.client.post(`/v1/messages/${inside.data[0].id}/replies`, { text: 'x' })).code).toBe(
      4090,
    );
  });

  it('is gone for a person who leaves the team', async () => {
    const guest = await signUp(server, 'Guest');
    const own = await makeTeam(ada, [guest, bob]);
    const id = await post(ada, { addressed_teams: [own] });
    const { data } = await ada.client.post(`/v1/messages/${id}/sidebars`, {
      users: [guest.id, bob.id],
      text: 'x',
    });
    await guest.client.delete(`/v1/teams/${own}/users/${guest.id}`);
    expect((await bob.client.get(`/v1/sidebars/${data[0].id}`)).data).toEqual([{ ...data[0], unread: 1 }]);
    expect((await guest.client.get(`/v1/sidebars/${data[0].id}`)).code).toBe(4040);
    expect((await guest.client.get(`/v1/sidebars/${data[0].id}/messages`)).code).toBe(4040);
    expect((await bob.client.get(`/v1/sidebars/${data[0].id}/messages`)).data).toHaveLength(1);
  });
});

describe('reading', () => {
  it('one by one, in any order, is as good as all at once', async () => {
    const own = await makeTeam(ada, [bob]);
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(await post(ada, { addressed_teams: [own] }));
    const unread = async () => (await bob.client.get('/v1/users/me')).data[0].unread_counts.teams[own];
    for (const [done, index] of [4, 1, 0, 5, 2, 3].entries()) {
      await bob.client.put(`/v1/messages/${ids[index]}/read`);
      expect(await unread()).toBe(5 - done);
    }
    await bob.client.delete(`/v1/messages/${ids[2]}/read`);
    expect((await bob.client.get(`/v1/messages?team=${own}&tag=_unread`)).data).toMatchObject([
      { id: ids[2] },
    ]);
    const { data } = await bob.client.put(`/v1/teams/${own}/read`, { up_to: ids[5] });
    expect(data).toMatchObject([{ id: own, unread_count: 0 }]);
  });

  it('up to a message of another team is refused', async () => {
    const own = await makeTeam(ada, [bob]);
    const id = await post(ada);
    for (const up_to of [id, 'nonsense', await post(ada, { addressed_users: [bob.id] })]) {
      expect((await bob.client.put(`/v1/teams/${own}/read`, { up_to })).code).toBe(4002);
    }
    expect((await eve.client.put(`/v1/teams/${own}/read`, { up_to: id })).code).toBe(4040);
  });
});

it.each(['1e300', 'Infinity', '0.5', '9223372036854775808', 'x'])(
  'no list goes on after the place %s',
  async (place) => {
    const id = await post(ada, { addressed_teams: [await makeTeam(ada, [bob])] });
    const opened = await ada.client.post(`/v1/messages/${id}/sidebars`, { users: [bob.id], text: 'x' });
    const cursor = Buffer.from(JSON.stringify([place])).toString('base64url');
    for (const list of [`/v1/sidebars/${opened.data[0].id}/messages`, `/v1/messages/${id}/replies`]) {
      expect((await ada.client.get(`${list}?cursor=${cursor}`)).code).toBe(4002);
    }
  },
);
