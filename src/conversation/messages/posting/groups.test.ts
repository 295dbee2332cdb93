import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import type { Batch } from '#platform/db/index.ts';
import { makeTeam, type Person } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { until } from '../../../../test/support/until.ts';

/** Longer than a test may take: nothing goes on because a limit has ended. */
const FOREVER = '600';
const environment = {
  DATABASE_IDLE_TIMEOUT: FOREVER,
  DATABASE_LOCK_TIMEOUT: FOREVER,
  DATABASE_STATEMENT_TIMEOUT: '601',
};
const { server, ada, ben, eve } = scene({ people: ['Ada', 'Ben', 'Eve'], environment, each: true });

afterEach(() => void vi.restoreAllMocks());

/** Counts the items that batches are given, each as often as it is carried out. */
function countCarriedOut() {
  const { db } = server.running;
  const original = db.batch.bind(db);
  const counted = new Map<unknown, Batch<unknown, unknown>>();
  const counts = { asked: 0, carriedOut: 0 };
  const count =
    (batch: Batch<unknown, unknown>): Batch<unknown, unknown> =>
    (tx, items) => {
      counts.carriedOut += items.length;
      return batch(tx, items);
    };
  vi.spyOn(db, 'batch').mockImplementation(((batch: Batch<unknown, unknown>, item: unknown, how: object) => {
    // Workers write too, without an item.
    if (item === undefined) return original(batch, item, how);
    if (!counted.has(batch)) counted.set(batch, count(batch));
    counts.asked++;
    return original(counted.get(batch) as Batch<unknown, unknown>, item, how);
  }) as never);
  return counts;
}

it('a post with an unknown file is refused without the team, and without a second run of the others', async () => {
  const { db } = server.running;
  const team = await makeTeam(ada);
  const post = (text: string, files: string[] = []) =>
    ada.client.post('/v1/messages', { text, addressed_teams: [team], attachments: { files } });
  const counts = countCarriedOut();
  const busy = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const held = db.write(async (tx) => {
    await tx.all(`UPDATE teams SET color = color WHERE id = '${team}'`, []);
    holding.resolve();
    await busy.promise;
  });
  await holding.promise;
  const bad = [1, 2].map((n) => post(`bad ${n}`, [randomUUID()]));
  const good = [1, 2, 3].map((n) => post(`good ${n}`));
  await until(() => counts.asked === 5);
  // On SQLite everybody waits for the one writer.
  if (db.dialect === 'postgres')
    expect((await Promise.all(bad)).map(({ code }) => code)).toEqual([4002, 4002]);
  busy.resolve();
  await held;
  expect((await Promise.all(bad)).map(({ status }) => status)).toEqual([400, 400]);
  expect((await Promise.all(good)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(counts).toEqual({ asked: 5, carriedOut: 5 });
});

it('replies of one moment are carried out together, and refused ones take no place', async () => {
  const team = await makeTeam(ada);
  const root = (await ada.client.post('/v1/messages', { text: 'root', addressed_teams: [team] })).data[0].id;
  const counts = countCarriedOut();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      (n % 3 === 0 ? eve : ada).client.post(
        `/v1/messages/${root}/replies`,
        { text: `reply ${n}` },
        { 'Idempotency-Key': `key ${n}` },
      ),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n % 3 === 0 ? 404 : 200)));
  expect(counts).toEqual({ asked: 12, carriedOut: 12 });
  const rows = await server.running.db.all<{ id: string; reply_seq: number }>(
    `SELECT id, reply_seq FROM messages WHERE root_id = '${root}' ORDER BY reply_seq`,
    [],
  );
  expect(rows.map(({ reply_seq }) => reply_seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  // Ids are in the order of places, so that a cursor over them misses none.
  expect(rows.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id));
  const answered = answers.flatMap(({ status, data }) => (status === 200 ? [data[0]] : []));
  expect(answered.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id));
  expect(answered.every(({ tags, read }) => tags.includes('_sent') && read)).toBe(true);
  expect((await ada.client.get(`/v1/messages/${root}`)).data[0].num_replies).toBe(8);
});

it('replies of one moment to several messages are counted at each', async () => {
  const team = await makeTeam(ada, [ben]);
  const write = async (of: object) =>
    (await ada.client.post('/v1/messages', { text: 'root', ...of })).data[0].id;
  const inTeam = await write({ addressed_teams: [team] });
  const direct = await write({ addressed_users: [ben.id] });
  const deleted = await write({ addressed_teams: [team] });
  expect((await ada.client.delete(`/v1/messages/${deleted}`)).status).toBe(200);
  const asked = [1, 2, 3].flatMap((n) =>
    [inTeam, deleted, direct].map((root) => ({ root, author: n === 2 ? ben : ada, text: `reply ${n}` })),
  );
  const answers = await Promise.all(
    asked.map(({ root, author, text }) => author.client.post(`/v1/messages/${root}/replies`, { text })),
  );
  for (const [index, { status, data }] of answers.entries()) {
    const { root, author, text } = asked[index] as (typeof asked)[number];
    expect(status).toBe(root === deleted ? 409 : 200);
    if (root === deleted) continue;
    expect(data[0]).toMatchObject({ text, reply_to: root, author: { id: author.id } });
    expect(data[0].tags).toContain('_sent');
  }
  for (const root of [inTeam, direct]) {
    const { data } = await ben.client.get(`/v1/messages/${root}/replies`);
    expect(data.map(({ text }) => text).sort()).toEqual(['reply 1', 'reply 2', 'reply 3']);
    expect((await ada.client.get(`/v1/messages/${root}`)).data[0].num_replies).toBe(3);
  }
  expect((await ada.client.get(`/v1/messages/${deleted}`)).data[0].num_replies).toBe(0);
});

it('direct messages of one moment are carried out together, each for those whom it names', async () => {
  const { db } = server.running;
  await makeTeam(ada, [ben]);
  const write = (author: Person, addressed_users: object, text: string) =>
    author.client.post('/v1/messages', { text, addressed_users });
  const of = { ids: [ben.id], emails: [] };
  const [first] = (await write(ada, of, 'first')).data;
  const counts = countCarriedOut();
  const busy = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const held = db.write(async (tx) => {
    await tx.all('UPDATE conversations SET newest_id = newest_id', []);
    holding.resolve();
    await busy.promise;
  });
  await holding.promise;
  const asked = [
    ...[1, 2, 3, 4].map((n) => write(ada, of, `by ada ${n}`)),
    write(ada, { emails: [ben.email, ada.email] }, 'by ada 5'),
    write(ada, { ids: [ada.id] }, 'a note'),
    write(ada, { ids: [eve.id, ben.id], emails: ['nobody@example.org'] }, 'refused'),
    ...[1, 2, 3, 4].map((n) => write(ben, [ada.id], `by ben ${n}`)),
    write(eve, [ada.id], 'refused'),
  ];
  await until(() => counts.asked === asked.length);
  busy.resolve();
  await held;
  const answers = await Promise.all(asked);
  expect(answers.map(({ status }) => status)).toEqual(
    answers.map((_, index) => (index === 6 || index === 11 ? 400 : 200)),
  );
  expect(answers[6]?.body.errors.map(({ reason }: { reason: string }) => reason)).toEqual([
    eve.id,
    'nobody@example.org',
  ]);
  const saidBy = (author: Person, answer: { data: { author: { id: string }; tags: string[] }[] }) => [
    answer.data[0]?.author.id === author.id,
    answer.data[0]?.tags.includes('_sent'),
  ];
  for (const [index, answer] of answers.entries())
    if (answer.status === 200) expect(saidBy(index < 6 ? ada : ben, answer)).toEqual([true, true]);
  expect(answers[4]?.data[0].addressed_users).toEqual([ben.id, ada.id]);

  const texts = async (reader: Person, person: Person) =>
    (await reader.client.get(`/v1/messages?with=${person.id}&order=oldest`)).data
      .map(({ text }: { text: string }) => text)
      .sort();
  const both = ['by ada', 'by ben'].flatMap((by) => [1, 2, 3, 4].map((n) => `${by} ${n}`));
  expect(await texts(ben, ada)).toEqual([...both, 'by ada 5', 'first'].sort());
  expect(await texts(ada, ben)).toEqual([...both, 'by ada 5', 'first'].sort());
  expect(await texts(ada, ada)).toEqual(['a note']);
  // Groups that have gathered: on PostgreSQL those of both authors, before and after the row was free.
  const [{ transactions } = { transactions: 0 }] =
    db.dialect === 'postgres'
      ? await db.all<{ transactions: number }>(
          `SELECT CAST(count(DISTINCT xmin::text) AS int) AS transactions FROM messages
             WHERE team_id IS NULL AND id > '${first.id}'`,
          [],
        )
      : [];
  expect(transactions).toBeLessThanOrEqual(4);
});
