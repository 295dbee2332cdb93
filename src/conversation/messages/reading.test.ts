import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#platform/ids.ts';
import { join, makeTeam, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

/** Enough for a lost update to show: on PostgreSQL about every second pair used to lose one. */
const PAIRS = 25;

const { server, ada, bob } = scene({ people: ['Ada', 'Bob'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
});

async function message(): Promise<string> {
  return (await ada.client.post('/v1/messages', { text: 'question', addressed_teams: [team] })).data[0].id;
}

async function repliesTo(root: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push((await bob.client.post(`/v1/messages/${root}/replies`, { text: `reply ${n}` })).data[0].id);
  }
  return ids;
}

async function sidebarBeside(root: string, count: number): Promise<string[]> {
  const opened = await bob.client.post(`/v1/messages/${root}/sidebars`, { users: [ada.id], text: 'aside' });
  const { id } = opened.data[0];
  for (let n = 1; n < count; n++)
    await bob.client.post(`/v1/sidebars/${id}/messages`, { text: `aside ${n}` });
  const { data } = await ada.client.get(`/v1/sidebars/${id}/messages`);
  return data.map((said) => said.id);
}

const read = (id: string) => ada.client.put(`/v1/messages/${id}/read`);
const shown = async (id: string) => (await ada.client.get(`/v1/messages/${id}`)).data[0];
const isRead = async (id: string): Promise<boolean> => (await shown(id)).read;

/** Prepares each pair, sends all of its requests at once, and gives what each pair then shows. */
async function inPairs<T>(
  prepare: () => Promise<T>,
  race: (prepared: T) => Promise<unknown>[],
): Promise<T[]> {
  const prepared: T[] = [];
  for (let n = 0; n < PAIRS; n++) {
    const one = await prepare();
    for (const answer of await Promise.all(race(one))) expect(answer).toMatchObject({ status: 200 });
    prepared.push(one);
  }
  return prepared;
}

describe('of two requests at once neither is lost', () => {
  it('muting a conversation and reading its replies', async () => {
    const all = await inPairs(
      async () => {
        const root = await message();
        return { root, replies: await repliesTo(root, 1) };
      },
      ({ root, replies }) => [ada.client.put(`/v1/messages/${root}/mute`), read(replies[0] as string)],
    );
    const states = await Promise.all(
      all.map(async ({ root, replies }) => [(await shown(root)).muted, await isRead(replies[0] as string)]),
    );
    expect(states).toEqual(all.map(() => [true, true]));
  });

  it('reading a later reply and an earlier one', async () => {
    const all = await inPairs(
      async () => repliesTo(await message(), 4),
      (replies) => [read(replies[3] as string), read(replies[0] as string)],
    );
    expect(await Promise.all(all.map((replies) => isRead(replies[3] as string)))).toEqual(
      all.map(() => true),
    );
  });

  it('the same in a sidebar', async () => {
    const all = await inPairs(
      async () => sidebarBeside(await message(), 3),
      (said) => [read(said[2] as string), read(said[0] as string)],
    );
    expect(await Promise.all(all.map((said) => isRead(said[2] as string)))).toEqual(all.map(() => true));
  });

  it('marking two replies unread: the earlier one counts', async () => {
    const all = await inPairs(
      async () => {
        const replies = await repliesTo(await message(), 4);
        await read(replies[3] as string);
        return replies;
      },
      (replies) => [
        ada.client.delete(`/v1/messages/${replies[3]}/read`),
        ada.client.delete(`/v1/messages/${replies[1]}/read`),
      ],
    );
    const states = all.map(async (replies) => Promise.all(replies.map(isRead)));
    expect(await Promise.all(states)).toEqual(all.map(() => [true, false, false, false]));
  });
});

describe('marking a team as read', () => {
  const upTo = (who: typeof ada, id: string, of = team) =>
    who.client.put(`/v1/teams/${of}/read`, { up_to: id });

  it('tells nobody outside the team which messages it has, and changes nothing for them', async () => {
    const eve = await signUp(server, 'Eve');
    const own = await makeTeam(eve);
    const [ofTeam, unknown] = [await message(), newId()];
    const strangers = [upTo(eve, ofTeam), upTo(eve, unknown), upTo(eve, 'no id'), upTo(eve, ofTeam, 'no id')];
    const answers = await Promise.all(strangers);
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [404, answers[0]?.text]),
    );
    expect(await upTo(eve, ofTeam, own)).toMatchObject({ status: 400, code: 4002 });
    expect(await upTo(ada, ofTeam)).toMatchObject({ status: 200 });
  });

  it('goes to a message of its stream alone: to no reply, direct message or message of a sidebar', async () => {
    const root = await message();
    const [reply = ''] = await repliesTo(root, 1);
    const [aside = ''] = await sidebarBeside(root, 1);
    const direct = await bob.client.post('/v1/messages', { text: 'hi', addressed_users: [ada.id] });
    for (const id of [reply, aside, direct.data[0].id])
      expect(await upTo(ada, id)).toMatchObject({ status: 400, code: 4002 });
  });

  it('answers twice the same, at once and again, and never goes back', async () => {
    const [first, second] = [await message(), await message()];
    const answers = await Promise.all([upTo(bob, second), upTo(bob, first), upTo(bob, second)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await upTo(bob, first)).data[0].unread_count).toBe(0);
  });
});

describe('marking everything as read', () => {
  const readAll = () => ada.client.put('/v1/users/me/read');

  it('leaves the replies of a closed team as they are: they are new when it is restored', async () => {
    const closing = await makeTeam(bob, [ada]);
    const { data } = await ada.client.post('/v1/messages', { text: 'well?', addressed_teams: [closing] });
    const [seen] = await repliesTo(data[0].id, 1);
    await readAll();
    const [reply] = await repliesTo(data[0].id, 1);
    await bob.client.delete(`/v1/teams/${closing}`);
    await readAll();
    expect((await ada.client.post(`/v1/admin/teams/${closing}/restore`, {})).status).toBe(200);
    expect(await isRead(reply as string)).toBe(false);
    expect((await shown(data[0].id)).unread_reply).toBe(true);
    expect(await isRead(seen as string)).toBe(true);
    await readAll();
    expect(await isRead(reply as string)).toBe(true);
  });

  it('a reply that is written at the same moment is not marked before it can be seen', async () => {
    const root = await message();
    for (let n = 0; n < PAIRS; n++) {
      const [answer] = await Promise.all([
        bob.client.post(`/v1/messages/${root}/replies`, { text: 'just now' }),
        readAll(),
      ]);
      const { id } = answer.data[0];
      // Messages before the mark are read and those after it are unread: either is right, if the flags agree.
      expect((await shown(root)).unread_reply).toBe(!(await isRead(id)));
      const [later] = await repliesTo(root, 1);
      expect(await isRead(later as string)).toBe(false);
      await readAll();
      expect(await isRead(id)).toBe(true);
    }
  });

  it('who joins a team has its earlier replies read, and the later ones new', async () => {
    const root = await message();
    const [early] = await repliesTo(root, 1);
    const cleo = await signUp(server, 'Cleo');
    await join(ada, team, cleo);
    const [late] = await repliesTo(root, 1);
    const seen = async (id: unknown) => (await cleo.client.get(`/v1/messages/${id}`)).data[0].read;
    expect([await seen(early), await seen(late)]).toEqual([true, false]);
  });
});
