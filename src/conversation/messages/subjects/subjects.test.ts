import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { join, makeTeam, type Person } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';
import { MOST_OPEN_OF_MEMBER, MOST_OPEN_SUBJECTS } from './subject.schema.ts';

const { server, ada, ben, cleo } = scene({ people: ['Ada', 'Ben', 'Cleo'] });
let team: string;

beforeEach(async () => {
  team = await makeTeam(ada, [ben, cleo]);
});

const post = (by: Person, subject?: unknown, more: object = {}) =>
  by.client.post('/v1/messages', { text: 'Said', addressed_teams: [team], subject, ...more });

/** @returns the message that was posted */
async function posted(by: Person, subject?: string | null, text = 'Said') {
  const answer = await post(by, subject, { text });
  expect(answer.status).toBe(200);
  return answer.data[0];
}

const subjects = async (of: Person) => (await of.client.get(`/v1/teams/${team}/subjects`)).data;
const named = async (of: Person, name: string) => (await subjects(of)).find((one) => one.name === name);
const change = (by: Person, id: string, fields: object) =>
  by.client.patch(`/v1/teams/${team}/subjects/${id}`, fields);
const read = (by: Person, id: string, body: object = {}) =>
  by.client.put(`/v1/teams/${team}/subjects/${id}/read`, body);
const move = (by: Person, id: string, subject: string | null) =>
  by.client.patch(`/v1/messages/${id}`, { subject });

const unreadOf = async (person: Person): Promise<number> =>
  (await person.client.get('/v1/users/me')).data[0].unread_counts.teams[team] ?? 0;

/** Compares every count with the messages themselves. @returns how many are unread */
async function agree(person: Person): Promise<number> {
  const messages = (await person.client.get(`/v1/messages?team=${team}&limit=200`)).data;
  const unread = messages.filter((one) => !one.read);
  const ids = (await person.client.get(`/v1/messages?team=${team}&tag=_unread&limit=200`)).data.map(
    ({ id }) => id,
  );
  const counts = Object.fromEntries((await subjects(person)).map((one) => [one.id, one.num_unread]));
  const counted = Object.fromEntries(
    Object.keys(counts).map((id) => [id, unread.filter((one) => one.subject_id === id).length]),
  );
  expect([await unreadOf(person), ids, counts]).toEqual([unread.length, unread.map(({ id }) => id), counted]);
  return unread.length;
}

it.each([
  ['is moved into a subject that was read', 'plain', 'B'],
  ['is moved out of it', 'of the subject', null],
])('a team is not marked as unread again once a message %s', async (_, text, to) => {
  const ids = { plain: (await posted(ada, null, 'plain')).id, 'of the subject': '' };
  const { id, subject_id } = await posted(ada, 'B', 'of the subject');
  ids['of the subject'] = id;
  await read(ben, subject_id);
  const done = await ben.client.put(`/v1/teams/${team}/read`, { up_to: id });
  await move(ada, ids[text as keyof typeof ids], to);
  const undone = await ben.client.post(`/v1/teams/${team}/read/undo`, { undo: done.body.meta.undo });
  expect(undone.body.errors[0]).toMatchObject({ code: 4090, reason: 'read_since' });
  expect(await agree(ben)).toBe(0);
});

describe('a message with a subject', () => {
  it('begins it or joins it, by its folded name; its replies have it, and others have none', async () => {
    const first = await posted(ada, '  Summer   party ');
    expect(first.subject).toBe('Summer party');
    const second = await posted(ben, 'SUMMER\u200b PÄRTY');
    expect([second.subject, second.subject_id]).toEqual(['Summer party', first.subject_id]);
    const reply = await ben.client.post(`/v1/messages/${first.id}/replies`, { text: 'Me', subject: 'Other' });
    expect(reply.data[0]).toMatchObject({ subject: 'Summer party', subject_id: first.subject_id });
    for (const none of [undefined, null, '', ' \u200b ']) {
      const plain = (await post(ada, none)).data[0];
      expect([plain.subject, Object.keys(plain)]).toEqual([null, expect.not.arrayContaining(['subject_id'])]);
    }
    const direct = await ada.client.post('/v1/messages', {
      text: 'Psst',
      addressed_users: [ben.id],
      subject: 'Summer party',
    });
    expect([direct.status, direct.data[0].subject]).toEqual([200, null]);
    expect(await subjects(ben)).toEqual([
      {
        ...{ id: first.subject_id, name: 'Summer party', closed: false, num_unread: 1 },
        last_message_at: second.created_at,
        created_by: ada.id,
      },
    ]);
    const alone = await ben.client.get(`/v1/messages?subject=${first.subject_id}`);
    expect(alone.data.map(({ id }) => id)).toEqual([second.id, first.id]);
    const around = `/v1/messages?subject=${first.subject_id}&around=`;
    expect((await ben.client.get(around + first.id)).data).toHaveLength(2);
    expect((await ben.client.get(around + reply.data[0].id)).status).toBe(404);
  });

  it.each([
    ['a number', 12],
    ['an object', {}],
    ['a long name', 'x'.repeat(121)],
    ['a very long name', 'x'.repeat(10_000)],
    ['U+0000', 'a\0b'],
  ])('is refused for %s', async (_, subject) => {
    const refused = await post(ada, subject);
    expect([refused.status, refused.body.errors[0].message]).toEqual([400, expect.stringContaining('120')]);
    expect(await subjects(ada)).toEqual([]);
  });

  it('may have the longest name there is, also one that folds to sentences', async () => {
    for (const sign of ['x', '\ufdfa', '😀', '\u0640']) {
      const name = sign.repeat(120);
      expect((await posted(ada, name)).subject).toBe(name);
      expect((await posted(ben, `${name} `)).subject).toBe(name);
    }
    expect(await subjects(ada)).toHaveLength(4);
  });

  it('is made once by many at the same time, and never by a stranger', async () => {
    const names = ['One', 'one', 'Two', 'ONE', 'two', 'One ', 'Two', 'one'];
    const answers = await Promise.all(names.map((name, n) => post([ada, ben, cleo][n % 3] as Person, name)));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect((await subjects(ada)).map(({ name }) => name.toLowerCase()).sort()).toEqual(['one', 'two']);
    const other = await makeTeam(cleo);
    const refused = await ada.client.post('/v1/messages', {
      text: 'x',
      addressed_teams: [other],
      subject: 'Mine',
    });
    expect(refused.body.errors[0].code).toBe(4008);
    expect((await cleo.client.get(`/v1/teams/${other}/subjects`)).data).toEqual([]);
  });

  async function insertOpen(by: Person, length: number): Promise<void> {
    const now = server.clock.now();
    for (let n = 1; n <= length; n++)
      await runSql(
        server.running.db,
        'INSERT INTO subjects (id, team_id, name, name_key, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?)',
        [randomUUID(), team, `s${n}`, `s${n}`, by.id, now],
      );
  }

  it('claim: subjects-shared — is one of fifty open ones of a member, and an admin of the team has no share', async () => {
    const reasonsOf = (answers: Awaited<ReturnType<typeof post>>[]) =>
      answers.map(({ status, body }) => body.errors?.[0].reason ?? status);
    const full = 'too_many_own_subjects';
    const closed = await posted(ben, 'Closed');
    await change(ben, closed.subject_id, { closed: true });
    await insertOpen(ben, MOST_OPEN_OF_MEMBER - 1);
    // The last place is taken once.
    const names = ['A', 'B', 'C'];
    const atOnce = reasonsOf(await Promise.all(names.map((name) => post(ben, name))));
    expect(atOnce.toSorted()).toEqual([200, full, full]);
    const taken = names[atOnce.indexOf(200)] as string;
    // Others join what is open, and open what he has closed no more than he does.
    const said = await posted(cleo, taken);
    const ways = [
      await post(ben, 'D'),
      await post(ben, 'Closed'),
      await post(cleo, 'closed'),
      await change(ben, closed.subject_id, { closed: false }),
      await move(ben, closed.id, 'D'),
    ];
    expect(reasonsOf(ways)).toEqual(Array(5).fill(full));
    // They have a share of their own, and admins open his.
    expect(reasonsOf([await post(cleo, 'D'), await post(ada, 'Closed')])).toEqual([200, 200]);
    await change(ada, closed.subject_id, { closed: true });
    expect((await change(ada, closed.subject_id, { closed: false })).status).toBe(200);
    for (const id of [closed.subject_id, said.subject_id]) await change(ben, id, { closed: true });
    expect(reasonsOf([await post(ben, 'E'), await post(ben, 'F')])).toEqual([200, full]);
    await runSql(server.running.db, 'UPDATE subjects SET created_by = ? WHERE team_id = ?', [ada.id, team]);
    expect(reasonsOf([await post(ada, 'G'), await post(cleo, 'Closed')])).toEqual([200, 200]);
  });

  it('is refused beyond the most open ones, and takes no place in the stream then', async () => {
    const { db } = server.running;
    await insertOpen(ada, MOST_OPEN_SUBJECTS - 1);
    const closed = await posted(ada, 'Last');
    await change(ada, closed.subject_id, { closed: true });
    const answers = await Promise.all(['A', 'B', 'a', 's1', undefined, 'C'].map((name) => post(ben, name)));
    const outcomes = answers.map(({ status, body }) => [status, body.errors?.[0].reason]);
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(4);
    expect(outcomes.filter(([, reason]) => reason === 'too_many_subjects')).toHaveLength(2);
    // None opens one that is closed, in any way.
    const ways = [
      await post(ben, 'last'),
      await change(ada, closed.subject_id, { closed: false }),
      await move(ada, closed.id, 'Another'),
    ];
    expect(ways.map(({ body }) => body.errors?.[0].reason)).toEqual(Array(3).fill('too_many_subjects'));
    const rows = await runSql(db, 'SELECT message_seq FROM teams WHERE id = ?', [team]);
    expect(rows).toEqual([{ message_seq: 5 }]);
    // A page has an end, and the next one begins there.
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await ben.client.get(`/v1/teams/${team}/subjects?limit=70${cursor}`);
      seen.push(...page.data.map(({ id }) => id));
      if (page.body.meta.next_cursor === null) break;
      cursor = `&cursor=${page.body.meta.next_cursor}`;
    }
    expect([seen.length, new Set(seen).size, seen.at(-1)]).toEqual([201, 201, closed.subject_id]);
  });
});

describe('a subject', () => {
  it('is renamed, closed and opened by who named it and by admins, without a notice', async () => {
    const { id, subject_id } = await posted(ben, 'Fair');
    await posted(ada, 'Stand');
    expect((await change(cleo, subject_id, { name: 'Mine' })).status).toBe(403);
    const renamed = await change(ben, subject_id, { name: ' Trade  fair ' });
    expect([renamed.status, renamed.data[0].name]).toEqual([200, 'Trade fair']);
    for (const taken of ['STAND', 'Ｓtand', 'S\u200btand', 'Stánd']) {
      const refused = await change(ada, subject_id, { name: taken });
      expect([refused.status, refused.body.errors[0].reason]).toEqual([409, 'subject_name']);
    }
    for (const name of ['', ' ', 'x'.repeat(121)])
      expect((await change(ada, subject_id, { name })).status).toBe(400);
    expect((await ada.client.get(`/v1/messages/${id}`)).data[0]).toMatchObject({
      subject: 'Trade fair',
      subject_id,
    });
    expect((await change(ada, subject_id, { closed: true })).data[0].closed).toBe(true);
    expect((await subjects(cleo)).map(({ name, closed }) => [name, closed])).toEqual([
      ['Stand', false],
      ['Trade fair', true],
    ]);
    await posted(cleo, 'trade fair');
    expect((await named(cleo, 'Trade fair')).closed).toBe(false);
  });

  it('is nothing to those who are not in the team, nor another team’s', async () => {
    const { id, subject_id } = await posted(ada, 'Secret');
    const other = await makeTeam(cleo);
    await ada.client.delete(`/v1/teams/${team}/users/${cleo.id}`);
    const asks = [
      cleo.client.get(`/v1/teams/${team}/subjects`),
      change(cleo, subject_id, { name: 'x' }),
      read(cleo, subject_id),
      cleo.client.get(`/v1/messages?subject=${subject_id}`),
      cleo.client.get(`/v1/messages?q=said&subject=${subject_id}`),
      cleo.client.get(`/v1/messages?team=${other}&subject=${subject_id}`),
      cleo.client.patch(`/v1/teams/${other}/subjects/${subject_id}`, { name: 'x' }),
      cleo.client.put(`/v1/teams/${other}/subjects/${subject_id}/read`),
      cleo.client.put(`/v1/users/me/mutes/subject/${subject_id}`, { until: null }),
      move(cleo, id, 'x'),
      cleo.client.get(`/v1/messages?subject=${randomUUID()}`),
    ];
    for (const answer of await Promise.all(asks))
      expect([answer.status, answer.body.errors[0].code]).toEqual([404, 4040]);
    // Nor to those who may see a message elsewhere.
    const elsewhere = (await cleo.client.post('/v1/messages', { text: 'x', addressed_teams: [other] }))
      .data[0];
    const upTo = await read(ada, subject_id, { up_to: elsewhere.id });
    expect([upTo.status, upTo.body.errors[0].reason ?? '']).toEqual([400, expect.anything()]);
    await ada.client.delete(`/v1/teams/${team}`);
    expect((await ada.client.get(`/v1/messages?subject=${subject_id}`)).status).toBe(404);
    expect((await read(ada, subject_id)).status).toBe(404);
  });
});

describe('a conversation', () => {
  it('is moved by its author and by admins; it stays read or unread', async () => {
    const { id } = await posted(ben, 'Here', 'Move me');
    const reply = (await cleo.client.post(`/v1/messages/${id}/replies`, { text: 'Along' })).data[0];
    expect((await move(cleo, id, 'There')).status).toBe(403);
    expect((await move(ben, reply.id, 'There')).status).toBe(400);
    const moved = await move(ada, id, 'There');
    expect([moved.status, moved.data[0].subject, moved.data[0].text]).toEqual([200, 'There', 'Move me']);
    expect((await cleo.client.get(`/v1/messages/${reply.id}`)).data[0].subject).toBe('There');
    const { id: there } = await named(cleo, 'There');
    const found = async () =>
      (await cleo.client.get(`/v1/messages?q=along&subject=${there}`)).data.map((one) => one.id);
    // It is indexed in the background.
    await expect.poll(found).toEqual([reply.id]);
    expect(
      (await cleo.client.get(`/v1/messages?q=along&subject=${(await named(cleo, 'Here')).id}`)).data,
    ).toEqual([]);
    const both = await ben.client.patch(`/v1/messages/${id}`, { subject: null, text: 'Edited' });
    expect(both.data[0]).toMatchObject({ subject: null, text: 'Edited' });
    expect((await ben.client.patch(`/v1/messages/${id}`, {})).status).toBe(400);
    await ben.client.delete(`/v1/messages/${id}`);
    expect((await move(ben, id, 'Here')).status).toBe(409);
  });
});

describe('what is read', () => {
  it('of a subject alone is not counted with its team, and leaves no row for a message (claim: subject-read-alone)', async () => {
    const { subject_id: a } = await posted(ada, 'A');
    for (let n = 0; n < 6; n++) await posted(ada, n % 2 ? 'A' : 'B');
    await posted(ada);
    expect(await agree(ben)).toBe(8);
    expect((await read(ben, a)).data[0]).toMatchObject({ id: a, num_unread: 0 });
    expect(await agree(ben)).toBe(4);
    for (let n = 0; n < 5; n++) {
      await posted(cleo, 'A');
      await read(ben, a);
    }
    expect(await agree(ben)).toBe(4);
    const { db } = server.running;
    const rows = async (table: string) =>
      (await runSql(db, `SELECT 1 FROM ${table} WHERE user_id = ? AND team_id = ?`, [ben.id, team])).length;
    expect([await rows('read_marks'), await rows('subject_cursors')]).toEqual([0, 1]);
    // Unread again, and not read with what stands before it.
    const [newest, older] = (await ben.client.get(`/v1/messages?subject=${a}`)).data;
    await ben.client.delete(`/v1/messages/${newest.id}/read`);
    expect((await read(ben, a, { up_to: older.id })).data[0].num_unread).toBe(1);
    expect(await agree(ben)).toBe(5);
    await read(ben, a);
    // The rest of the team, and it is all.
    const { id: b } = await named(ben, 'B');
    await read(ben, b);
    expect(await agree(ben)).toBe(1);
    const last = (await ben.client.get(`/v1/messages?team=${team}&tag=_unread`)).data[0];
    await ben.client.put(`/v1/messages/${last.id}/read`);
    expect(await agree(ben)).toBe(0);
    const seqs = 'SELECT read_seq, subjects_read FROM memberships WHERE user_id = ? AND team_id = ?';
    expect(await runSql(db, seqs, [ben.id, team])).toEqual([{ read_seq: 13, subjects_read: 0 }]);
  });

  it('counts right, whatever happens in which order', async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    const pick = <T>(from: readonly T[]) => from[random(from.length)] as T;
    const all = [ada, ben, cleo];
    const names = ['A', 'B', null];
    const ids: string[] = [];
    const undos = new Map<Person, string | null>();
    const steps: Record<string, (by: Person) => Promise<unknown>> = {
      post: async (by) => ids.push((await posted(by, pick(names))).id),
      again: async (by) => ids.push((await posted(by, pick(names))).id),
      subject: async (by) => read(by, pick(await subjects(ada)).id),
      part: async (by) => read(by, pick(await subjects(ada)).id, { up_to: pick(ids) }),
      message: (by) => by.client.put(`/v1/messages/${pick(ids)}/read`),
      unread: (by) => by.client.delete(`/v1/messages/${pick(ids)}/read`),
      back: (by) => by.client.delete(`/v1/messages/${pick(ids)}/read`),
      move: () => move(ada, pick(ids), pick(names)),
      remove: () => ada.client.delete(`/v1/messages/${pick(ids)}`),
      team: async (by) => {
        const done = await by.client.put(`/v1/teams/${team}/read`, { up_to: pick(ids.slice(0, -3)) });
        undos.set(by, done.body.meta?.undo ?? null);
      },
      undo: async (by) => {
        const undo = undos.get(by);
        if (undo) await by.client.post(`/v1/teams/${team}/read/undo`, { undo });
      },
    };
    for (const name of ['A', 'B', null, 'A', null]) ids.push((await posted(ada, name)).id);
    const done: string[] = [];
    for (let n = 0; n < 90; n++) {
      const [name, step] = pick(Object.entries(steps));
      const by = pick(all);
      const before = name === 'move' ? await readBy(all) : undefined;
      await step(by);
      done.push(`${name} ${all.indexOf(by)}`);
      if (before) expect([done, await readBy(all)]).toEqual([done, before]);
      if (n % 3 === 0) for (const one of all) await agree(one);
    }
    await ben.client.put('/v1/users/me/read');
    expect(await agree(ben)).toBe(0);
  });

  /** The unread messages of each, which a move must not change. */
  const readBy = (people: readonly Person[]) =>
    Promise.all(
      people.map(async (one) => {
        const { data } = await one.client.get(`/v1/messages?team=${team}&limit=200`);
        return data.filter((message) => !message.read).map(({ id }) => id);
      }),
    );

  it('counts right while conversations are moved, read and posted at the same time', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push((await posted(ada, n % 2 ? 'A' : 'B')).id);
    const [a, b] = (await subjects(ada)).map(({ id }) => id) as [string, string];
    const work = ids.flatMap((id, n) => [
      move(ada, id, n % 2 ? 'B' : 'A'),
      read(ben, n % 3 ? a : b),
      read(cleo, n % 2 ? a : b, { up_to: id }),
      posted(ben, n % 2 ? 'A' : 'B'),
      change(ada, a, { closed: n % 2 === 0 }),
    ]);
    const answers = await Promise.all(work);
    expect(answers.every((answer) => !('status' in answer) || answer.status === 200)).toBe(true);
    for (const one of [ada, ben, cleo]) await agree(one);
    // Who comes back begins anew.
    await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
    await join(ada, team, ben);
    expect(await agree(ben)).toBe(0);
  });
});
