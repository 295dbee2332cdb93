// Ann and Bob write to each other. Eve, a member of their team and the server's administrator, wants to read along: she
// names the two of them, one of them, the conversation's own id, the cursor of Ann's list, and a message of theirs. The
// people whom she names always make a set with herself, which is another conversation. Sets that name strangers or ids
// that nobody has look like those of people who never wrote to her; too many, and what is no id, are refused.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { eve, ann, bob, stranger } = scene({ people: ['Eve', 'Ann', 'Bob', 'Stranger'] });

it('nobody but the participants finds what was said', async () => {
  await makeTeam(ann, [bob, eve]);
  const posted = await ann.client.post('/v1/messages', { text: 'Between us', addressed_users: [bob.id] });
  await bob.client.post('/v1/messages', { text: 'Only us', addressed_users: [ann.id] });
  const own = await ann.client.get('/v1/users/me/conversations?limit=1');
  const conversation = own.data[0].id as string;
  const before = await ann.client.get(`/v1/messages?with=${bob.id}&limit=1`);
  const message = posted.data[0].id as string;

  expect((await eve.client.get('/v1/users/me/conversations')).data).toEqual([]);
  for (const people of [`${ann.id},${bob.id}`, ann.id, eve.id, conversation, stranger.id, randomUUID()]) {
    for (const path of ['users/me/conversations', 'messages']) {
      const { status, data } = await eve.client.get(`/v1/${path}?with=${people}`);
      expect({ status, data }, `${path} ${people}`).toEqual({ status: 200, data: [] });
    }
    expect((await eve.client.get(`/v1/messages?with=${people}&q=us`)).data).toEqual([]);
    const around = await eve.client.get(`/v1/messages?with=${people}&around=${message}`);
    expect(around.code).toBe(4040);
    const read = await eve.client.put('/v1/users/me/conversations/read', { with: people, up_to: message });
    expect(read.code).toBe(4002);
  }
  const { next_cursor } = before.body.meta;
  const paged = await eve.client.get(`/v1/messages?with=${ann.id},${bob.id}&cursor=${next_cursor}`);
  expect(paged.data).toEqual([]);
  // What Eve marked as read is not read for Bob.
  const kept = await bob.client.get(`/v1/users/me/conversations?with=${ann.id}`);
  expect(kept.data[0].unread).toBe(1);
});

it('repeated ids are one person; too many people, and what is no id, are refused', async () => {
  await bob.client.post('/v1/messages', { text: 'A note', addressed_users: [bob.id] });
  const repeated = Array.from({ length: 30 }, () => bob.id.toUpperCase()).join(',');
  const found = await bob.client.get(`/v1/messages?with=${repeated}`);
  expect(found.data.map(({ text }) => text)).toEqual(['A note']);
  const many = Array.from({ length: 51 }, () => randomUUID()).join(',');
  for (const people of [many, '', ',', 'everybody', `${bob.id},`, `${bob.id};${ann.id}`, "' OR 1=1 --"]) {
    for (const path of ['users/me/conversations', 'messages']) {
      const refused = await eve.client.get(`/v1/${path}?with=${encodeURIComponent(people)}`);
      expect([refused.status, refused.code], `${path} ${people.slice(0, 40)}`).toEqual([400, 4002]);
    }
  }
  for (const other of [`team=${randomUUID()}`, 'tag=_direct'])
    expect((await ann.client.get(`/v1/messages?with=${bob.id}&${other}`)).code).toBe(4002);
});
