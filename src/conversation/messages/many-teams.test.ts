import { beforeAll, expect, it } from 'vitest';
import { makeTeam } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

/*
 * A person in more teams than a list reads at once, with messages that came in turns, quiet teams and a busy one. What
 * each list must hold is known from the messages themselves, which are read one by one.
 */
const TEAMS = 60;
const { ada, bob } = scene({ people: ['Ada', 'Bob'] });

interface Seen {
  readonly id: string;
  readonly tags: readonly string[];
  readonly team: string | undefined;
}
/** The messages that Ada sees, the newest first. */
const seen: Seen[] = [];
const left: string[] = [];

beforeAll(async () => {
  const teams: string[] = [];
  for (let n = 0; n < TEAMS; n++) teams.push(await makeTeam(bob, [ada], `Team ${n}`));
  const post = async (who: typeof ada, to: object) =>
    (await who.client.post('/v1/messages', { text: 'said', ...to })).data[0].id as string;
  const toTeam = (who: typeof ada, n: number) => post(who, { addressed_teams: [teams[n % TEAMS]] });
  const posted: string[] = [];
  for (let n = 0; n < 150; n++) posted.push(await toTeam(n % 4 === 0 ? ada : bob, n % 7 === 0 ? 3 : n * n));
  for (let n = 0; n < 5; n++) posted.push(await post(bob, { addressed_users: [ada.id] }));
  posted.push(await post(ada, { addressed_users: [bob.id] }));
  // The busy team has more than is read of it at once, first of others and then of Ada's own.
  for (let n = 0; n < 40; n++) posted.push(await toTeam(n < 25 ? bob : ada, 3));
  // Then one message in each team, and of many nothing that others wrote.
  for (let n = 0; n < TEAMS; n++) posted.push(await toTeam(n % 4 === 0 ? ada : bob, n));
  await bob.client.post(`/v1/messages/${posted[0]}/replies`, { text: 'a reply' });
  await bob.client.post(`/v1/messages/${posted[1]}/sidebars`, { users: [ada.id], text: 'aside' });
  for (const [n, id] of posted.entries()) {
    if (n % 5 === 1) await ada.client.put(`/v1/messages/${id}/read`);
    if (n % 11 === 2) await ada.client.delete(`/v1/messages/${id}/read`);
    if (n % 13 === 3) await bob.client.delete(`/v1/messages/${id}`);
    if (n % 17 === 4) await ada.client.put(`/v1/messages/${id}/mute`);
    if (n % 19 === 5) await bob.client.patch(`/v1/messages/${id}`, { text: 'edited' });
  }
  await ada.client.patch(`/v1/users/me/teams/${teams[5]}`, { is_muted: true });
  await ada.client.put(`/v1/teams/${teams[7]}/read`, { up_to: posted[posted.length - TEAMS + 7] });
  // Of these three she sees nothing any more.
  await ada.client.delete(`/v1/teams/${teams[8]}/users/${ada.id}`);
  await bob.client.delete(`/v1/teams/${teams[9]}/users/${ada.id}`);
  await bob.client.delete(`/v1/teams/${teams[10]}`);
  left.push(...teams.slice(8, 11));
  for (const id of posted.toReversed()) {
    const { status, data } = await ada.client.get(`/v1/messages/${id}`);
    if (status === 200) seen.push({ id, tags: data[0].tags, team: data[0].addressed_teams[0] });
  }
});

const idsOf = (messages: readonly Seen[]) => messages.map(({ id }) => id);
const tagged = (tag: string | undefined) =>
  seen.filter(({ tags }) => tag === undefined || tags.includes(tag));

async function pages(list: string, way: 'next_cursor' | 'previous_cursor', begin?: string) {
  const found: string[][] = [];
  for (let cursor = begin; ; ) {
    const { data, body } = await ada.client.get(`${list}${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    found.push(data.map(({ id }) => id));
    cursor = body.meta[way];
    if (cursor === null) return { found, last: body.meta };
  }
}

it.each([undefined, '_inbox', '_unread'])(
  'lists the messages of all teams in pages, with the tag %s',
  async (tag) => {
    const wanted = idsOf(tagged(tag));
    expect(wanted.length).toBeGreaterThan(50);
    for (const limit of [9, 50]) {
      const list = `/v1/messages?limit=${limit}${tag ? `&tag=${tag}` : ''}`;
      const newest = await pages(list, 'next_cursor');
      expect(newest.found.flat()).toEqual(wanted);
      const back = await pages(list, 'previous_cursor', newest.last.previous_cursor);
      expect(back.found.toReversed().flat()).toEqual(newest.found.slice(0, -1).flat());
      expect((await pages(`${list}&order=oldest`, 'next_cursor')).found.flat()).toEqual(wanted.toReversed());
    }
  },
);

it('counts what is unread in many teams, and nothing of a team that Ada is not in any more', async () => {
  const unread = tagged('_unread');
  const { unread_counts } = (await ada.client.get('/v1/users/me')).data[0];
  const { data } = await ada.client.get('/v1/users/me/teams');
  expect(data).toHaveLength(TEAMS - left.length);
  const counts = Object.fromEntries(
    data.map(({ team: { id } }) => [id, unread.filter(({ team }) => team === id).length]),
  );
  expect(unread_counts.teams).toEqual(counts);
  expect(Object.fromEntries(data.map(({ team }) => [team.id, team.unread_count]))).toEqual(counts);
  expect(unread_counts.tags).toMatchObject({
    _unread: unread.length,
    _inbox: tagged('_inbox').filter(({ tags }) => tags.includes('_unread')).length,
    _sent: tagged('_sent').filter(({ tags }) => tags.includes('_unread')).length,
  });
});
