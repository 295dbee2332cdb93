import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Answer } from '../../../../test/support/client.ts';
import { makeTeam, type Person } from '../../../../test/support/people.ts';
import { uploadText } from '../../../../test/support/reach.ts';
import { scene } from '../../../../test/support/scene.ts';

/*
 * Replies that come at one moment share statements and a commit. Some of them are refused: by the caller, by the
 * message that they answer, by a file, or by their Idempotency-Key. That costs no other reply anything.
 */
const { ada, bob, eve } = scene({ people: ['Ada', 'Bob', 'Eve'] });
const ROOTS = 4;
let roots: string[];
let aside: string;
let deleted: string;

const idOf = ({ data }: Answer) => data[0].id as string;

beforeEach(async () => {
  const team = await makeTeam(ada, [bob]);
  const open = async () =>
    idOf(await ada.client.post('/v1/messages', { text: 'root', addressed_teams: [team] }));
  roots = await Promise.all(Array.from({ length: ROOTS }, open));
  const sidebar = { users: [bob.id], text: 'aside' };
  const { data } = await ada.client.post(`/v1/messages/${roots[0]}/sidebars`, sidebar);
  aside = idOf(await ada.client.get(`/v1/sidebars/${data[0].id}/messages`));
  deleted = await open();
  await ada.client.delete(`/v1/messages/${deleted}`);
});

function reply(who: Person, to: string, text: string, more: { files?: string[]; key?: string } = {}) {
  const body = { text, ...(more.files && { attachments: { files: more.files } }) };
  const headers: Record<string, string> = more.key === undefined ? {} : { 'Idempotency-Key': more.key };
  return who.client.post(`/v1/messages/${to}/replies`, body, headers);
}

it('a refused reply costs no other reply of its group a place', async () => {
  const [first = ''] = roots;
  const earlier = idOf(await reply(bob, first, 'before'));
  const key = randomUUID();
  const good = roots.flatMap((root) => [reply(ada, root, 'good'), reply(bob, root, 'good')]);
  const refused = roots.flatMap((root) => [
    reply(eve, root, 'a stranger'),
    reply(ada, root, 'no such file', { files: [randomUUID()] }),
  ]);
  refused.push(
    reply(bob, aside, 'in a sidebar'),
    reply(bob, deleted, 'too late'),
    reply(bob, randomUUID(), 'lost'),
  );
  good.push(reply(ada, earlier, 'to a reply'));
  const [once, same] = [1, 2].map(() => reply(ada, first, 'once', { key }));
  const keyed = [once, same, reply(ada, first, 'something else', { key })];

  expect((await Promise.all(good)).map(({ status }) => status)).toEqual(good.map(() => 200));
  const codes = (await Promise.all(refused)).map(({ code }) => code);
  expect(codes).toEqual([...roots.flatMap(() => [4040, 4002]), 4090, 4090, 4040]);
  const answers = await Promise.all(keyed as Promise<Answer>[]);
  expect(answers.filter(({ status }) => status !== 200).every(({ status }) => status === 409)).toBe(true);
  expect(new Set(answers.filter(({ status }) => status === 200).map(idOf)).size).toBe(1);

  for (const root of roots) {
    const { data } = await bob.client.get(`/v1/messages/${root}/replies`);
    const wanted = root === first ? 2 + 3 : 2;
    expect(data).toHaveLength(wanted);
    const ids = data.map(({ id }) => id as string);
    expect(ids).toEqual(ids.toSorted());
    expect((await bob.client.get(`/v1/messages/${root}`)).data[0].num_replies).toBe(wanted);
  }
});

it('a file that several replies want, and a deletion, at the same moment', async () => {
  const [first = '', second = ''] = roots;
  const file = await uploadText(ada, 'text');
  const answers = await Promise.all([
    ...roots.map((root) => reply(ada, root, 'with a file', { files: [file] })),
    ...Array.from({ length: 6 }, () => reply(bob, second, 'quick')),
    ada.client.delete(`/v1/messages/${second}`),
    ...Array.from({ length: 6 }, () => reply(bob, second, 'quick')),
    reply(bob, first, 'untouched'),
  ]);
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual(
    [],
  );
  const made = answers.filter(({ status, data }) => status === 200 && data[0]?.reply_to === second);
  const { data } = await bob.client.get(`/v1/messages/${second}/replies`);
  expect(data.map(({ id }) => id).toSorted()).toEqual(made.map(idOf).toSorted());
  expect((await bob.client.get(`/v1/messages/${second}`)).data[0].num_replies).toBe(made.length);
});
