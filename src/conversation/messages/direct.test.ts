import { expect, it } from 'vitest';
import { countStatements } from '../../../test/support/counting.ts';
import { makeTeam, type Person } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';
import { HIGHEST_ID } from '../../platform/ids.ts';

const { server, ada, ben, cleo, dan } = scene({ people: ['Ada', 'Ben', 'Cleo', 'Dan'], each: true });

async function write(author: Person, to: readonly Person[], text: string): Promise<string> {
  const { status, data } = await author.client.post('/v1/messages', {
    text,
    addressed_users: to.map(({ id }) => id),
  });
  expect(status).toBe(200);
  return data[0].id;
}

const withAll = (people: readonly Person[]) => people.map(({ id }) => id).join(',');
const listed = async (reader: Person, query = '') =>
  (await reader.client.get(`/v1/users/me/conversations${query}`)).data;
const said = async (reader: Person, people: readonly Person[], more = '') =>
  (await reader.client.get(`/v1/messages?with=${withAll(people)}${more}`)).data.map(
    ({ text }: { text: string }) => text,
  );
const namesOf = ({ users }: { users: { first_name: string }[] }) =>
  users.map((user) => user.first_name).sort();

it('what the same people write to each other is one conversation, in both directions', async () => {
  await makeTeam(ada, [ben, cleo, dan]);
  await write(ada, [ben], 'Hello Ben');
  const answer = await write(ben, [ada], 'Hello Ada');
  await write(ada, [cleo, ben], 'Hello both');
  await write(cleo, [ben, ada, ben], 'Hello all');
  await write(ada, [ada], 'Do not forget');
  await write(ada, [ada, ben], 'With a copy for me');

  expect(await said(ada, [ben])).toEqual(['With a copy for me', 'Hello Ada', 'Hello Ben']);
  expect(await said(ben, [ada, ben], '&order=oldest')).toEqual([
    'Hello Ben',
    'Hello Ada',
    'With a copy for me',
  ]);
  expect(await said(ben, [cleo, ada])).toEqual(['Hello all', 'Hello both']);
  expect(await said(ada, [ada])).toEqual(['Do not forget']);
  expect(await said(ada, [dan])).toEqual([]);

  const all = await listed(ada);
  expect(all.map(namesOf)).toEqual([['Ben'], ['Ada'], ['Ben', 'Cleo']]);
  expect(all.map(({ unread }) => unread)).toEqual([1, 0, 1]);
  expect(all[2].last.text).toBe('Hello all');
  // One page after the other, and around one message.
  const pages: string[] = [];
  let cursor: string | null | undefined = '';
  while (cursor !== null && cursor !== undefined) {
    const page = await ada.client.get(`/v1/users/me/conversations?limit=1${cursor && `&cursor=${cursor}`}`);
    pages.push(...page.data.map(({ id }) => id));
    cursor = page.body.meta.next_cursor;
  }
  expect(pages).toEqual(all.map(({ id }) => id));
  const around = await ada.client.get(`/v1/messages?with=${ben.id}&around=${answer}&limit=1`);
  expect(around.data.map(({ id }) => id)).toEqual([answer]);
  expect(around.body.meta.previous_cursor && around.body.meta.next_cursor).toBeTruthy();
});

it('a reply brings its conversation to the top, and opens beside it', async () => {
  await makeTeam(ada, [ben, cleo]);
  const first = await write(ada, [ben], 'A question');
  await write(ada, [cleo], 'Another');
  const { data } = await ben.client.post(`/v1/messages/${first}/replies`, { text: 'An answer' });
  expect((await listed(ada)).map(namesOf)).toEqual([['Ben'], ['Cleo']]);
  const [newest] = await listed(ada);
  expect(newest).toMatchObject({
    newest_id: data[0].id,
    unread: 0,
    last: { text: 'An answer', read: false },
  });
  expect(await said(ada, [ben])).toEqual(['A question']);
});

it('an unread reply is news of its conversation, also once one wrote there oneself', async () => {
  await makeTeam(ada, [ben, cleo]);
  const question = await write(ada, [ben], 'Lunch?');
  await write(ada, [cleo], 'Hello Cleo');
  const { data } = await ben.client.post(`/v1/messages/${question}/replies`, { text: 'Yes' });
  await write(ada, [ben], 'At noon?');
  const answered = async () =>
    Object.fromEntries((await listed(ada)).map((one) => [namesOf(one).join(), one.unread_reply]));
  await until(async () => (await answered()).Ben);
  expect(await answered()).toEqual({ Ben: true, Cleo: false });
  expect((await listed(ben))[0].unread_reply).toBe(false);
  await ada.client.put(`/v1/messages/${data[0].id}/read`);
  expect(await answered()).toEqual({ Ben: false, Cleo: false });
});

it('a conversation is read up to a message, and its unread ones are counted', async () => {
  await makeTeam(ada, [ben, cleo]);
  await write(ben, [ada], 'One');
  const second = await write(ben, [ada], 'Two');
  await write(ben, [ada], 'Three');
  await write(cleo, [ada], 'Elsewhere');
  const read = async (up_to: string) =>
    (await ada.client.put('/v1/users/me/conversations/read', { with: ben.id, up_to })).data[0].unread;
  expect(await read(second)).toBe(1);
  const unread = await ada.client.get('/v1/messages?tag=_unread');
  expect(unread.data.map(({ text }) => text)).toEqual(['Elsewhere', 'Three']);
  const newest = await listed(ada, `?with=${ben.id}`);
  expect(await read(newest[0].newest_id)).toBe(0);
  expect((await ada.client.get('/v1/users/me')).data[0].unread_counts.user.direct).toBe(1);
});

it('a conversation is not read up to what is no message of it', async () => {
  await makeTeam(ada, [ben, cleo]);
  const own = await write(ben, [ada], 'One');
  const others = await write(cleo, [ben], 'Not for Ada');
  const read = async (up_to: string) =>
    (await ada.client.put('/v1/users/me/conversations/read', { with: ben.id, up_to })).body;
  const elsewhere = [await write(cleo, [ada], 'Elsewhere'), others, ada.id, HIGHEST_ID, 'x'];
  for (const upTo of elsewhere)
    expect((await read(upTo)).errors[0]).toMatchObject({ code: 4002, reason: 'up_to' });
  expect((await listed(ada, `?with=${ben.id}`))[0].unread).toBe(1);
  expect((await read(own.toUpperCase())).data[0].unread).toBe(0);
});

it('a cursor that lacks the place of a page is refused as any other', async () => {
  const cursorOf = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const ofIds = ['/v1/users/me/conversations', '/v1/users/me/inbox', '/v1/messages'];
  for (const path of ofIds) {
    for (const parts of [['x'], [''], [1], [], ['x', 'next'], {}]) {
      const { body } = await ada.client.get(`${path}?cursor=${cursorOf(parts)}`);
      expect([path, body.errors?.[0]]).toMatchObject([path, { code: 4002, reason: 'cursor' }]);
    }
  }
});

it('reading a conversation reads what one wrote oneself and marked as unread, too', async () => {
  await makeTeam(ada, [ben]);
  const own = await write(ada, [ben], 'To be checked');
  const last = await write(ben, [ada], 'Checked');
  await ada.client.delete(`/v1/messages/${own}/read`);
  expect((await listed(ada))[0].unread).toBe(2);
  await ada.client.put('/v1/users/me/conversations/read', { with: ben.id, up_to: last });
  expect((await ada.client.get(`/v1/messages/${own}`)).data[0].read).toBe(true);
  expect((await listed(ada))[0].unread).toBe(0);
  expect((await ada.client.get('/v1/users/me/inbox')).data).toEqual([]);
});

it('a conversation is read with as many statements, however much of it is unread', async () => {
  await makeTeam(ada, [ben]);
  const numStatements = async (unread: number) => {
    await Promise.all(Array.from({ length: unread }, (_, n) => write(ben, [ada], `Message ${n}`)));
    await until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);
    const [{ newest_id: up_to }] = await listed(ada, `?with=${ben.id}`);
    const counted = countStatements(server.running.db);
    const { data } = await ada.client.put('/v1/users/me/conversations/read', { with: ben.id, up_to });
    // Workers write meanwhile, without an item.
    const ofRequests = counted.stop().filter(({ hasItems }) => hasItems);
    expect(data[0].unread).toBe(0);
    expect((await ada.client.get('/v1/users/me/inbox')).data).toEqual([]);
    return ofRequests.flatMap(({ texts }) => texts).length;
  };
  const few = await numStatements(2);
  expect(few).toBeGreaterThan(0);
  expect(await numStatements(20)).toBe(few);
});

it('somebody who left stays in the history, and is named as one who cannot be written to', async () => {
  const team = await makeTeam(ada, [ben, cleo]);
  await write(ada, [ben, cleo], 'Before');
  expect((await listed(cleo))[0].unreachable).toEqual([]);
  await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
  const [found] = await listed(cleo);
  expect(namesOf(found)).toEqual(['Ada', 'Ben']);
  expect(found.unreachable).toEqual([ben.id]);
  expect(await said(ben, [ada, cleo])).toEqual(['Before']);
  await write(ada, [ada], 'A note');
  expect((await listed(ada))[0].unreachable).toEqual([]);
});

it('a search keeps to a conversation, with its replies', async () => {
  await makeTeam(ada, [ben, cleo]);
  const first = await write(ada, [ben], 'The budget of May');
  await write(ada, [ben, cleo], 'The budget of June');
  await ben.client.post(`/v1/messages/${first}/replies`, { text: 'Which budget?' });
  expect(await said(ben, [ada], '&q=budget')).toEqual(['Which budget?', 'The budget of May']);
  expect(await said(cleo, [ada, ben], '&q=budget')).toEqual(['The budget of June']);
  expect(await said(cleo, [ben], '&q=budget')).toEqual([]);
});

it('many who write to each other at once make one conversation for each set', async () => {
  await makeTeam(ada, [ben, cleo, dan]);
  const everyone = [ada, ben, cleo, dan];
  const pairs = everyone.flatMap((one) =>
    everyone.filter((other) => other !== one).map((other) => [one, other] as const),
  );
  await Promise.all([...pairs, ...pairs].map(([one, other]) => write(one, [other], 'At once')));
  for (const person of everyone) expect((await listed(person)).length).toBe(3);
  for (const [one, other] of pairs) expect((await said(one, [other])).length).toBe(4);
});
