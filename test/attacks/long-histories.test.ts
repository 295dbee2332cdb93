// A member edits long messages again and again, so that everybody who opens the team must load all their earlier texts,
// and each high five sends these to all who are connected. Lists, hits and events say only that a message was edited;
// the texts are read a page at a time, by those who see the message, and the oldest are dropped.
import { beforeAll, expect, it } from 'vitest';
import { EventStream } from '../support/event-stream.ts';
import { makeTeam, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const KEPT = 50;
const LENGTH = 2000;

const { server, ada, bob } = scene({ people: ['Ada', 'Bob'] });
let team: string;
let message: string;
const texts = Array.from({ length: KEPT + 3 }, (_, index) => `version ${index} `.padEnd(LENGTH, 'x'));

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  const json = { text: texts[0], addressed_teams: [team] };
  message = (await ada.client.post('/v1/messages', json)).data[0].id;
  for (const text of [...texts.slice(1), 'last']) await ada.client.patch(`/v1/messages/${message}`, { text });
});

it('no list, hit or event carries an earlier text', async () => {
  for (const path of [`/v1/messages?team=${team}`, '/v1/messages?q=last', `/v1/messages/${message}`]) {
    const answer = await bob.client.get(path);
    expect(answer.data[0].events.at(-1)).toEqual({
      type: 'edited',
      user: ada.id,
      created_at: expect.any(Number),
    });
    expect(answer.text).not.toContain('version');
    expect(answer.text.length).toBeLessThan(LENGTH * 2);
  }
  const stream = await EventStream.open(ada.client);
  await bob.client.put(`/v1/messages/${message}/high_five`);
  await stream.until((events) => events.some(({ kind }) => kind === 'message.updated'));
  stream.close();
  expect(JSON.stringify(stream.events)).not.toContain('version');
});

it('the earlier texts come in pages, the newest first, and only so many are kept', async () => {
  const seen: string[] = [];
  let cursor = '';
  do {
    const { data, body } = await bob.client.get(`/v1/messages/${message}/versions?limit=20${cursor}`);
    expect(data.length).toBeLessThanOrEqual(20);
    for (const version of data) {
      expect(version).toEqual({ text: expect.any(String), user: ada.id, replaced_at: expect.any(Number) });
      seen.push(version.text);
    }
    cursor = body.meta.next_cursor ? `&cursor=${body.meta.next_cursor}` : '';
  } while (cursor !== '');
  expect(seen).toEqual(texts.slice(-KEPT).toReversed());
  expect((await bob.client.get(`/v1/messages/${message}/versions`)).data).toHaveLength(10);
  expect((await bob.client.get(`/v1/messages/${message}/versions?limit=51`)).code).toBe(4002);
});

it('who does not see the message sees none of them', async () => {
  const eve = await signUp(server, 'Eve');
  expect((await eve.client.get(`/v1/messages/${message}/versions`)).code).toBe(4040);
});
