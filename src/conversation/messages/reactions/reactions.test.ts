import { describe, expect, it } from 'vitest';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { makeTeam, type Person, signUp } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { until } from '../../../../test/support/until.ts';

const { server, ada, bob, cleo } = scene({ people: ['Ada', 'Bob', 'Cleo'] });
const TEN = ['👍', '👎', '😀', '😃', '😄', '😁', '😆', '😅', '🤣', '😂'];
const TWENTY = [...TEN, '🙂', '🙃', '🫠', '😉', '😊', '😇', '🥰', '😍', '🤩', '😘'];

const pathOf = (message: string, emoji: string) =>
  `/v1/messages/${message}/reactions/${encodeURIComponent(emoji)}`;
const react = (person: Person, message: string, emoji: string) => person.client.put(pathOf(message, emoji));
const shown = async (person: Person, message: string) =>
  (await person.client.get(`/v1/messages/${message}`)).data[0].reactions;

async function posted(author: Person, fields: object): Promise<string> {
  const { status, data } = await author.client.post('/v1/messages', { text: 'Lunch?', ...fields });
  expect(status).toBe(200);
  return data[0].id;
}

const inTeam = async () => posted(ada, { addressed_teams: [await makeTeam(ada, [bob, cleo])] });

describe('reacting', () => {
  it('counts people by emoji, in the order of the first of each, and tells each reader what is theirs', async () => {
    const id = await inTeam();
    expect(await shown(ada, id)).toBeUndefined();
    await react(bob, id, '👍');
    await react(cleo, id, '🎉');
    const { data } = await react(cleo, id, '👍');
    expect(data[0].reactions).toEqual([
      { emoji: '👍', num: 2, mine: true },
      { emoji: '🎉', num: 1, mine: true },
    ]);
    expect(await shown(bob, id)).toEqual([
      { emoji: '👍', num: 2, mine: true },
      { emoji: '🎉', num: 1, mine: false },
    ]);
    const listed = (await ada.client.get('/v1/messages')).data.find((one) => one.id === id);
    expect(listed.reactions).toEqual([
      { emoji: '👍', num: 2, mine: false },
      { emoji: '🎉', num: 1, mine: false },
    ]);
  });

  it('repeated changes nothing, and taken back leaves no trace', async () => {
    const id = await inTeam();
    await react(bob, id, '👍');
    await react(bob, id, '👍');
    expect(await shown(bob, id)).toEqual([{ emoji: '👍', num: 1, mine: true }]);
    await cleo.client.delete(pathOf(id, '👍'));
    expect(await shown(bob, id)).toEqual([{ emoji: '👍', num: 1, mine: true }]);
    expect((await bob.client.delete(pathOf(id, '👍'))).data[0].reactions).toBeUndefined();
    expect((await bob.client.delete(pathOf(id, '👍'))).status).toBe(200);
  });

  it('in a skin tone counts under its emoji, and another tone takes its place', async () => {
    const id = await inTeam();
    await react(bob, id, '👍🏿');
    await react(bob, id, '👍🏻');
    await react(cleo, id, '👍');
    expect(await shown(bob, id)).toEqual([{ emoji: '👍', num: 2, mine: true }]);
    const { data } = await ada.client.get(`/v1/messages/${id}/reactions?emoji=${encodeURIComponent('👍🏽')}`);
    expect(data.map(({ emoji, given, user }) => [emoji, given, user.id])).toEqual([
      ['👍', '👍', cleo.id],
      ['👍', '👍🏻', bob.id],
    ]);
    await bob.client.delete(pathOf(id, '👍🏿'));
    expect(await shown(bob, id)).toEqual([{ emoji: '👍', num: 1, mine: false }]);
  });

  it('with 🙌 is a high five, by either route', async () => {
    const id = await inTeam();
    await react(bob, id, '🙌🏾');
    await cleo.client.put(`/v1/messages/${id}/high_five`);
    const { data } = await cleo.client.get(`/v1/messages/${id}`);
    expect(data[0]).toMatchObject({
      num_high_fives: 2,
      user_high_fived: true,
      reactions: [{ emoji: '🙌', num: 2, mine: true }],
    });
    await bob.client.delete(`/v1/messages/${id}/high_five`);
    expect(await shown(bob, id)).toEqual([{ emoji: '🙌', num: 1, mine: false }]);
    const givers = await ada.client.get(`/v1/messages/${id}/high_fives`);
    expect(givers.data.map((user) => user.id)).toEqual([cleo.id]);
  });

  it('takes an emoji without the sign that asks for a picture for the same', async () => {
    const id = await inTeam();
    await react(bob, id, '❤');
    await react(cleo, id, '❤️');
    expect(await shown(bob, id)).toEqual([{ emoji: '❤️', num: 2, mine: true }]);
  });

  it.each([
    ['a word', 'tada'],
    ['a letter', 'a'],
    ['a digit', '1'],
    ['two emoji', '👍👍'],
    ['an emoji and a space', '👍 '],
    ['a tone alone', '🏽'],
    ['half a flag', '🇩'],
    ['a tone where there is none', '🎉🏽'],
    ['pictures joined to what is no emoji', '🐙‍🐙'],
    ['an emoji with a hidden sign', '👍\u200b'],
    ['a percent sign', '%'],
    ['much', '👍'.repeat(40)],
  ])('refuses %s', async (_, emoji) => {
    const id = await inTeam();
    const refused = await react(bob, id, emoji);
    expect(refused.code).toBe(4002);
    expect(refused.body.errors).toEqual([expect.objectContaining({ reason: 'emoji' })]);
    expect(await shown(bob, id)).toBeUndefined();
  });

  it('ends at twenty kinds, also at once; joining one of them does not', async () => {
    const id = await inTeam();
    const answers = await Promise.all([...TWENTY, '🎉', '🚀'].map((emoji) => react(bob, id, emoji)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const kinds: { emoji: string }[] = await shown(bob, id);
    expect(kinds).toHaveLength(20);
    expect((await react(cleo, id, (kinds[19] as { emoji: string }).emoji)).status).toBe(200);
    const left = [...TWENTY, '🎉', '🚀'].find(
      (emoji) => !kinds.some((kind) => kind.emoji === emoji),
    ) as string;
    const refused = await react(cleo, id, left);
    expect([refused.code, refused.body.errors[0].reason]).toEqual([4090, 'too_many_reactions']);
    await bob.client.delete(pathOf(id, (kinds[0] as { emoji: string }).emoji));
    expect((await react(cleo, id, left)).status).toBe(200);
  });

  it('is counted once for each person, however many come at once', async () => {
    const id = await inTeam();
    await Promise.all(
      [ada, bob, cleo].flatMap((person) => ['👍', '🎉', '👍🏽'].map((emoji) => react(person, id, emoji))),
    );
    const kinds: { emoji: string; num: number }[] = await shown(ada, id);
    expect(Object.fromEntries(kinds.map(({ emoji, num }) => [emoji, num]))).toEqual({ '👍': 3, '🎉': 3 });
  });

  it('reaches replies, direct messages and sidebars', async () => {
    const id = await inTeam();
    const reply = (await bob.client.post(`/v1/messages/${id}/replies`, { text: 'Yes' })).data[0].id;
    const direct = await posted(ada, { addressed_users: [bob.id] });
    const sidebar = (
      await ada.client.post(`/v1/messages/${id}/sidebars`, { users: [bob.id], text: 'Between us' })
    ).data[0].id;
    const said = (await bob.client.get(`/v1/sidebars/${sidebar}/messages`)).data[0].id;
    for (const one of [reply, direct, said]) {
      expect((await react(bob, one, '👀')).status).toBe(200);
      expect(await shown(ada, one)).toEqual([{ emoji: '👀', num: 1, mine: false }]);
    }
    for (const hidden of [direct, said]) {
      expect((await react(cleo, hidden, '👀')).code).toBe(4040);
      expect((await cleo.client.get(`/v1/messages/${hidden}/reactions`)).code).toBe(4040);
      expect((await cleo.client.delete(pathOf(hidden, '👀'))).code).toBe(4040);
    }
  });

  it('is over with the message, and with the membership', async () => {
    const team = await makeTeam(ada, [bob, cleo]);
    const id = await posted(ada, { addressed_teams: [team] });
    await react(bob, id, '👍');
    await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
    expect((await react(bob, id, '🎉')).code).toBe(4040);
    expect((await bob.client.delete(pathOf(id, '👍'))).code).toBe(4040);
    const reply = (await cleo.client.post(`/v1/messages/${id}/replies`, { text: 'Yes' })).data[0].id;
    await ada.client.delete(`/v1/messages/${id}`);
    expect((await react(cleo, reply, '🎉')).body.errors[0].reason).toBe('deleted');
    expect((await react(cleo, id, '🎉')).body.errors[0].reason).toBe('deleted');
  });

  it('lists who reacted, the newest first, page by page', async () => {
    const id = await inTeam();
    for (const emoji of ['👍', '🎉', '👀']) await react(bob, id, emoji);
    for (const emoji of ['👍', '🎉']) await react(cleo, id, emoji);
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, body } = await ada.client.get(`/v1/messages/${id}/reactions?limit=2${cursor}`);
      found.push(...data.map(({ emoji, user }) => `${emoji} ${user.first_name}`));
      if (!body.meta.next_cursor) break;
      cursor = `&cursor=${body.meta.next_cursor}`;
    }
    expect(found).toEqual(['🎉 Cleo', '👍 Cleo', '👀 Bob', '🎉 Bob', '👍 Bob']);
  });
});

it('many who react at once are a few live events, the last of which has all of them', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, (_, n) => signUp(server, `Guest${n}`)));
  const team = await makeTeam(ada, people);
  const id = await posted(ada, { addressed_teams: [team] });
  const stream = await EventStream.open(ada.client);
  const updates = () => stream.of('message.updated').filter(({ data }) => data.message.id === id);
  const start = performance.now();
  await Promise.all(people.flatMap((one) => ['👍', '🎉', '🚀'].map((emoji) => react(one, id, emoji))));
  await until(async () => {
    const last = updates().at(-1)?.data.message.reactions ?? [];
    return last.length === 3 && last.every(({ num }: { num: number }) => num === 12);
  });
  // About two a second, however long the machine takes: without that they are 36.
  const seconds = (performance.now() - start) / 1000;
  expect(updates().length).toBeLessThan(2 * seconds + 4);
  expect(updates().at(-1)?.data.message.reactions[0]).toEqual({ emoji: expect.any(String), num: 12 });
  stream.close();
});

it('the author hears of reactions once, quietly, and with nobody but those who see the message', async () => {
  const id = await inTeam();
  await react(bob, id, '👍');
  await react(cleo, id, '🚀');
  const own = async () =>
    (await ada.client.get('/v1/users/me/inbox')).data.filter(({ message }) => message === id);
  await until(async () => (await own())[0]?.people.length === 2);
  expect(await own()).toEqual([
    expect.objectContaining({ reasons: ['reaction'], unread: false, num_unread: 0 }),
  ]);
  await ada.client.put(`/v1/messages/${id}/high_five`);
  expect((await own())[0].reasons).toEqual(['reaction', 'high_five']);
});
