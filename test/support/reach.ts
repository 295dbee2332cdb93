import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Client } from './client.ts';
import type { Person } from './people.ts';

/** A conversation with everything that can belong to a message. */
export interface Conversation {
  readonly root: string;
  readonly reply: string;
  readonly sidebar: string;
  /** The message in the sidebar. */
  readonly aside: string;
  readonly file: string;
}

/** Its texts all hold the same word, so that one search would find them all. */
export async function converse(author: Person, other: Person, to: object): Promise<Conversation> {
  const file = await uploadText(author, 'a file with a secret');
  const idOf = (answer: Answer) => answer.data[0].id as string;
  const root = idOf(
    await author.client.post('/v1/messages', { text: 'secret root', attachments: { files: [file] }, ...to }),
  );
  const reply = idOf(await other.client.post(`/v1/messages/${root}/replies`, { text: 'secret reply' }));
  const sidebar = idOf(
    await author.client.post(`/v1/messages/${root}/sidebars`, { users: [other.id], text: 'secret aside' }),
  );
  const aside = (await author.client.get(`/v1/sidebars/${sidebar}/messages`)).data[0].id as string;
  await other.client.put(`/v1/messages/${root}/high_five`);
  return { root, reply, sidebar, aside, file };
}

export async function uploadText(person: Person, text: string): Promise<string> {
  const raw = new FormData();
  raw.set('file', new Blob([text]), 'secret.txt');
  return (await person.client.ask('POST', '/v1/attachments', { raw })).data[0].id;
}

/** Everything that can be asked of one message. */
const ofMessage = (id: string): readonly (readonly [string, string, unknown?])[] => [
  ['GET', `/v1/messages/${id}`],
  ['PATCH', `/v1/messages/${id}`, { text: 'changed' }],
  ['DELETE', `/v1/messages/${id}`],
  ['GET', `/v1/messages/${id}/replies`],
  ['POST', `/v1/messages/${id}/replies`, { text: 'answered' }],
  ['GET', `/v1/messages/${id}/versions`],
  ['GET', `/v1/messages/${id}/high_fives`],
  ['PUT', `/v1/messages/${id}/high_five`],
  ['DELETE', `/v1/messages/${id}/high_five`],
  ['GET', `/v1/messages/${id}/sidebars`],
  ['POST', `/v1/messages/${id}/sidebars`, { users: [randomUUID()], text: 'aside' }],
  ['GET', `/v1/messages?around=${id}`],
];

const ofSidebar = (id: string): readonly (readonly [string, string, unknown?])[] => [
  ['GET', `/v1/sidebars/${id}`],
  ['GET', `/v1/sidebars/${id}/messages`],
  ['POST', `/v1/sidebars/${id}/messages`, { text: 'said' }],
];

const ofFile = (id: string): readonly (readonly [string, string, unknown?])[] => [
  ['GET', `/v1/attachments/${id}`],
  ['GET', `/v1/attachments/${id}/thumbnail`],
];

/** Everything that can be asked of a conversation. */
export const probesOf = ({ root, reply, sidebar, aside, file }: Conversation) =>
  [root, reply, aside].flatMap(ofMessage).concat(ofSidebar(sidebar), ofFile(file));

/** Expects that no message of a conversation comes by a reference to it. */
export async function expectUnquoted(client: Client, { root, reply, aside }: Conversation) {
  const { status, data, code } = await client.get(`/v1/quotes?messages=${root},${reply},${aside}`);
  if (status === 200) expect(data).toEqual([null, null, null]);
  else expect(code).toBe(4031);
}

/** Expects every route to answer as for ids that do not exist. */
export async function expectUnknown(client: Client, conversation: Conversation) {
  await expectUnquoted(client, conversation);
  const none = randomUUID();
  for (const [method, path, json] of probesOf(conversation)) {
    const asked = json === undefined ? {} : { json };
    const unknown = path.replace(/(?<=[/=])[0-9a-f-]{36}/, none);
    const [found, missing] = [
      await client.ask(method, path, asked),
      await client.ask(method, unknown, asked),
    ];
    expect([method, path, found.status, found.body.errors]).toEqual([method, path, 404, missing.body.errors]);
  }
}

const TAGS = ['', 'tag=_inbox', 'tag=_sent', 'tag=_direct', 'tag=_unread'];
const WAYS = ['', 'order=oldest', 'q=secret', 'q=secret&has=file', 'q=root'];

/** The ids in all lists and searches, page by page, in both directions. */
export async function listEverything(client: Client, team?: string): Promise<Set<string>> {
  const seen = new Set<string>();
  for (const tag of TAGS) {
    for (const way of WAYS) {
      const query = [tag, way, team && `team=${team}`, 'limit=2'].filter(Boolean).join('&');
      await walk(client, `/v1/messages?${query}`, seen);
    }
  }
  return seen;
}

async function walk(client: Client, path: string, seen: Set<string>): Promise<void> {
  for (const direction of ['next_cursor', 'previous_cursor'] as const) {
    let cursor: string | null | undefined;
    do {
      const answer = await client.get(cursor ? `${path}&cursor=${cursor}` : path);
      expect([path, answer.status]).toEqual([path, 200]);
      // Pages are full even when rows are filtered out; a short page would reveal them.
      if (answer.body.meta.next_cursor && direction === 'next_cursor') expect(answer.data).toHaveLength(2);
      for (const { id } of answer.data) seen.add(id);
      cursor = answer.body.meta[direction];
    } while (cursor);
  }
}
