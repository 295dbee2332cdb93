import { connect } from 'node:net';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { countStatements } from '../../../test/support/counting.ts';
import { EventStream } from '../../../test/support/event-stream.ts';
import { insertMember } from '../../../test/support/members.ts';
import { join, makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { startTestServer } from '../../../test/support/server.ts';
import { planOf, runSql } from '../../../test/support/tables.ts';
import { startServer } from '../../app/start.ts';
import { DatabaseUnavailable, type Reader } from '../../platform/db/index.ts';
import { readConfig } from '../../process/config.ts';
import type { NewEvent } from './catalogue.ts';
import { insertEvent, listEventsFor } from './event.store.ts';

const { server, ada, bob, eve } = scene({ people: ['Ada', 'Bob', 'Eve'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
});

async function post(author: Person, text: string, to: object = { addressed_teams: [team] }): Promise<string> {
  const { data, text: answer } = await author.client.post('/v1/messages', { text, ...to });
  if (!data) throw new Error(answer);
  return data[0].id;
}

const texts = (stream: EventStream) => stream.of('message.created').map(({ data }) => data.message.text);
const has = (text: string) => (events: { data: { message?: { text: string } } }[]) =>
  events.some(({ data }) => data.message?.text === text);

describe('a stream', () => {
  it('tells an author, and nobody else, which message was sent under an Idempotency-Key, before it comes', async () => {
    const [adas, bobs] = [await EventStream.open(ada.client), await EventStream.open(bob.client)];
    const root = await post(ada, 'root');
    const opened = await ada.client.post(`/v1/messages/${root}/sidebars`, { users: [bob.id], text: 'aside' });
    const places = [
      ['/v1/messages', { addressed_teams: [team] }],
      ['/v1/messages', { addressed_users: [bob.id] }],
      [`/v1/messages/${root}/replies`, {}],
      [`/v1/sidebars/${opened.data[0].id}/messages`, {}],
    ] as const;
    const sent: { key: string; message: string }[] = [];
    for (const [index, [path, to]] of places.entries()) {
      const key = `key-${index}`;
      const ask = () =>
        ada.client.ask('POST', path, { json: { text: 'keyed', ...to }, headers: { 'Idempotency-Key': key } });
      for (const { headers, data } of [await ask(), await ask()]) {
        expect(headers.get('Idempotency-Key')).toBe(key);
        sent[index] = { key, message: data[0].id };
      }
    }
    await post(ada, 'no key');
    await adas.until(has('no key'));
    await bobs.until(has('no key'));
    const told = adas.events.filter(({ kind, data }) => kind === 'posted' || data.message?.text === 'keyed');
    expect(told.map(({ kind, data }) => (kind === 'posted' ? data : data.message.id))).toEqual(
      sent.flatMap((one) => [one, one.message]),
    );
    expect(bobs.of('posted')).toEqual([]);
    // Without one, with one that a header cannot give back, and with one that is refused.
    for (const key of [undefined, 'schl\u00fcssel', 'x'.repeat(256)]) {
      const json = { text: 'x', addressed_teams: [team] };
      const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
      const answer = await ada.client.ask('POST', '/v1/messages', { json, headers });
      expect(answer.headers.get('Idempotency-Key')).toBeNull();
    }
  });

  it('tells what happens where its user can see it, and nothing else', async () => {
    const [bobs, eves] = [await EventStream.open(bob.client), await EventStream.open(eve.client)];
    const id = await post(ada, 'to the team');
    await post(ada, 'to bob', { addressed_users: [bob.id] });
    await ada.client.post(`/v1/messages/${id}/replies`, { text: 'a reply' });
    const opened = await ada.client.post(`/v1/messages/${id}/sidebars`, { users: [bob.id], text: 'aside' });
    await ada.client.patch(`/v1/messages/${id}`, { text: 'edited' });
    await post(eve, 'the end', { addressed_users: [eve.id] });
    await bobs.until(has('edited'));
    await eves.until(has('the end'));
    expect(texts(bobs)).toEqual(['to the team', 'to bob', 'a reply', 'aside']);
    expect(texts(eves)).toEqual(['the end']);
    const [created] = bobs.of('message.created');
    expect(created?.data.message).toMatchObject({ id, author: { id: ada.id }, addressed_teams: [team] });
    for (const own of ['read', 'tags', 'unread_reply', 'sidebars', 'muted']) {
      expect(created?.data.message).not.toHaveProperty(own);
    }
    expect(bobs.events.map((event) => event.id)).toEqual(
      bobs.events.map((event) => event.id).sort((a, b) => a - b),
    );
    const aside = bobs.of('message.created').at(-1);
    expect(aside?.data).toMatchObject({ message: { sidebar: opened.data[0].id }, beside: id });
    const { unread, ...sidebar } = opened.data[0];
    expect(bobs.of('sidebar.created').map(({ data }) => data)).toEqual([{ sidebar }]);
    expect(eves.of('sidebar.created')).toEqual([]);
    const reply = bobs.of('message.created')[2];
    expect(reply?.data).toMatchObject({ message: { reply_to: id } });
    expect(reply?.data).not.toHaveProperty('beside');
    expect(bobs.of('message.updated').map(({ data }) => [data.message.id, data.message.num_replies])).toEqual(
      [
        [id, 1],
        [id, 1],
      ],
    );
    for (const stream of [bobs, eves]) stream.close();
  });

  it('tells a user’s other clients what they have read', async () => {
    const id = await post(ada, 'read me');
    const bobs = await EventStream.open(bob.client);
    await bob.client.put(`/v1/messages/${id}/read`);
    await bob.client.put(`/v1/teams/${team}/read`, { up_to: id });
    await bobs.until((events) => events.some(({ kind }) => kind === 'read'));
    expect(bobs.of('message.state')[0]?.data.message).toMatchObject({ id, read: true });
    expect(bobs.of('read')[0]?.data).toEqual({ team });
    await bob.client.put('/v1/users/me/read');
    await bobs.until((events) => events.filter(({ kind }) => kind === 'read').length === 2);
    expect(bobs.of('read')[1]?.data).toEqual({ team: null });
    await bob.client.put(`/v1/messages/${id}/high_five`);
    await bobs.until((events) => events.filter(({ kind }) => kind === 'message.state').length === 2);
    expect(bobs.of('message.state')[1]?.data.message).toMatchObject({ id, user_high_fived: true });
    bobs.close();
  });

  it('tells those who know somebody of their new name and picture, and themselves of all else', async () => {
    const carol = await signUp(server, 'Carol');
    await join(ada, team, carol);
    const streams = await Promise.all([carol, bob, eve].map((who) => EventStream.open(who.client)));
    const [carols, bobs, eves] = streams as [EventStream, EventStream, EventStream];
    await carol.client.patch('/v1/users/me', { last_name: 'Married' });
    await carol.client.patch('/v1/users/me', { prefs: { email_on_reply_to_message_you_replied_to: false } });
    await carol.client.delete('/v1/users/me/image');
    await carol.client.patch('/v1/users/me', { username: 'carol.married' });
    await post(ada, 'to the team');
    await post(ada, 'the end', { addressed_users: [carol.id] });
    await post(eve, 'the end', { addressed_users: [eve.id] });
    await Promise.all([
      bobs.until(has('to the team')),
      carols.until(has('the end')),
      eves.until(has('the end')),
    ]);
    const told = bobs.of('user.updated').map(({ data }) => data.user);
    expect(told).toMatchObject([
      { id: carol.id, last_name: 'Married' },
      { id: carol.id, image: { icon: expect.any(String) } },
      { id: carol.id, username: 'carol.married' },
    ]);
    expect(carols.of('user.updated')).toHaveLength(4);
    expect(eves.of('user.updated')).toEqual([]);
    for (const stream of streams) stream.close();
  });

  it('follows a team that is closed and brought back', async () => {
    const [guest, other] = [await signUp(server, 'Guest'), await signUp(server, 'Other')];
    const own = await makeTeam(guest, [other]);
    const before = await EventStream.open(guest.client);
    const away = before.lastId;
    await guest.client.delete(`/v1/teams/${own}`);
    await before.until((events) => events.some(({ kind }) => kind === 'team.updated'));
    const during = await EventStream.open(other.client, away);
    await during.until((events) => events.some(({ kind }) => kind === 'team.updated'));
    // The first account of a server is its administrator.
    await ada.client.post(`/v1/admin/teams/${own}/restore`);
    await post(guest, 'back again', { addressed_teams: [own] });
    for (const stream of [before, during]) {
      await stream.until(has('back again'));
      expect(stream.of('team.updated').map(({ data }) => data)).toEqual([
        { team: own, change: 'deleted' },
        { team: own, change: 'restored' },
      ]);
      stream.close();
    }
  });

  it('tells who was removed while they were away', async () => {
    const guest = await signUp(server, 'Guest');
    const own = await makeTeam(ada, [guest]);
    const first = await EventStream.open(guest.client);
    first.close();
    await ada.client.delete(`/v1/teams/${own}/users/${guest.id}`);
    await post(ada, 'too late', { addressed_teams: [own] });
    await post(guest, 'the end', { addressed_users: [guest.id] });
    const again = await EventStream.open(guest.client, first.lastId);
    await again.until(has('the end'));
    expect(again.of('team.members').map(({ data }) => data)).toEqual([
      { team: own, user: guest.id, change: 'member_removed' },
    ]);
    expect(texts(again)).toEqual(['the end']);
    again.close();
  });

  it('follows who is in a team', async () => {
    const guest = await signUp(server, 'Guest');
    const own = await makeTeam(ada);
    const stream = await EventStream.open(guest.client);
    await post(ada, 'too early', { addressed_teams: [own] });
    await join(ada, own, guest);
    await post(ada, 'welcome', { addressed_teams: [own] });
    await ada.client.patch(`/v1/teams/${own}`, { name: 'Renamed' });
    await ada.client.delete(`/v1/teams/${own}/users/${guest.id}`);
    await post(ada, 'too late', { addressed_teams: [own] });
    await post(guest, 'the end', { addressed_users: [guest.id] });
    await stream.until(has('the end'));
    expect(texts(stream)).toEqual(['welcome', 'the end']);
    expect(stream.of('team.members').map(({ data }) => data.change)).toEqual([
      'member_added',
      'member_removed',
    ]);
    expect(stream.of('team.updated')).toMatchObject([{ data: { team: own, change: 'changed' } }]);
    stream.close();
  });

  it('needs a session, and ends with it', async () => {
    expect((await EventStream.open(server.anonymous())).status).toBe(401);
    // This would never end.
    const { status } = await fetch(`${server.url}/v1/events`, { method: 'HEAD' });
    expect(status).toBe(404);
    const guest = await signUp(server, 'Guest');
    const stream = await EventStream.open(guest.client);
    await guest.client.delete('/v1/sessions/current');
    server.clock.advance(6);
    await stream.ended();
  });

  it('ends with its session also when the clock was set back', async () => {
    const other = await startTestServer();
    const guest = await signUp(other, 'Guest');
    other.clock.advance(3600);
    const before = await EventStream.open(guest.client);
    await guest.client.delete('/v1/sessions/current');
    other.clock.advance(6);
    await before.ended();
    other.clock.advance(-3606);
    const again = await signUp(other, 'Again');
    const stream = await EventStream.open(again.client);
    await again.client.delete('/v1/sessions/current');
    other.clock.advance(6);
    await stream.ended();
    expect((await again.client.get('/v1/events')).code).toBe(4010);
    await other.stop();
  });

  it('ends when it cannot begin, so that the client comes again', async () => {
    const other = await startTestServer();
    const guest = await signUp(other, 'Guest');
    const rename = (from: string, to: string) =>
      other.running.db.write((tx) => tx.all(`ALTER TABLE ${from} RENAME TO ${to}`, []));
    await rename('events', 'events_away');
    await expect(EventStream.open(guest.client)).rejects.toThrow('the stream ended');
    await rename('events_away', 'events');
    const stream = await EventStream.open(guest.client);
    expect(stream.events[0]?.kind).toBe('ready');
    stream.close();
    await other.stop();
  });

  it('is one of at most twenty of its user: the oldest ends', async () => {
    const guest = await signUp(server, 'Guest');
    const streams: EventStream[] = [];
    for (let n = 0; n < 21; n++) streams.push(await EventStream.open(guest.client));
    await streams[0]?.ended();
    expect(streams.filter(({ isOver }) => isOver)).toHaveLength(1);
    for (const stream of streams) stream.close();
  });

  it('is dropped when its reader does not keep up', async () => {
    // Long texts: few of them fill everything up.
    const other = await startTestServer({ MAX_TEXT_LENGTH: '100000' });
    const [writer, reader] = [await signUp(other, 'Writer'), await signUp(other, 'Reader')];
    const own = await makeTeam(writer, [reader]);
    const { hostname, port } = new URL(other.url);
    const socket = connect(Number(port), hostname);
    const { Cookie } = reader.client.credentials();
    socket.write(`GET /v1/events HTTP/1.1\r\nHost: x\r\nCookie: ${Cookie}\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    const text = 'x'.repeat(100_000);
    // The kernel buffers for a reader who sleeps, then the server does.
    for (let sent = 0; sent < 180; sent += 20) {
      await Promise.all(Array.from({ length: 20 }, () => post(writer, text, { addressed_teams: [own] })));
    }
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(180 * text.length);
    await other.stop();
  });
});

describe('resuming', () => {
  it('gives what was missed, without a gap and without a repeat (claim: events-in-order)', async () => {
    const first = await EventStream.open(bob.client);
    await post(ada, 'one');
    await first.until(has('one'));
    first.close();
    await post(ada, 'two');
    await post(ada, 'three');
    const second = await EventStream.open(bob.client, first.lastId);
    await post(ada, 'four');
    await second.until(has('four'));
    expect(second.events[0]?.kind).toBe('ready');
    expect(texts(second)).toEqual(['two', 'three', 'four']);
    second.close();
  });

  it('works while others write, come and go', async () => {
    const own = await makeTeam(ada, [bob]);
    let stream = await EventStream.open(bob.client);
    const seen: string[] = [];
    const writing = Promise.all(
      [ada, bob].map(async (author, who) => {
        for (let n = 0; n < 40; n++) await post(author, `${who}-${n}`, { addressed_teams: [own] });
      }),
    );
    for (let turn = 1; turn <= 8; turn++) {
      const enough = stream.events.length + 3;
      if (seen.length + stream.events.length < 60) await stream.until((events) => events.length >= enough);
      stream.close();
      await stream.ended();
      seen.push(...texts(stream));
      stream = await EventStream.open(bob.client, stream.lastId);
    }
    await writing;
    await stream.until(() => seen.length + texts(stream).length >= 80);
    seen.push(...texts(stream));
    stream.close();
    expect(new Set(seen).size).toBe(seen.length);
    for (const who of [0, 1]) {
      const ofOne = seen.filter((text) => text.startsWith(`${who}-`));
      expect(ofOne).toEqual(Array.from({ length: 40 }, (_, n) => `${who}-${n}`));
    }
  });

  it('gives all that was missed, however much that is', async () => {
    const other = await startTestServer({ MAX_TEXT_LENGTH: '100000' });
    const [writer, reader] = [await signUp(other, 'Writer'), await signUp(other, 'Reader')];
    const own = await makeTeam(writer, [reader]);
    const before = await EventStream.open(reader.client);
    before.close();
    await before.ended();
    const text = 'x'.repeat(100_000);
    for (let sent = 0; sent < 180; sent += 20) {
      await Promise.all(Array.from({ length: 20 }, () => post(writer, text, { addressed_teams: [own] })));
    }
    const after = await EventStream.open(reader.client, before.lastId);
    await after.until(() => texts(after).length === 180);
    expect(texts(after).filter((one) => one !== text)).toEqual([]);
    after.close();
    await other.stop();
  });

  it('goes on after a restart', async () => {
    const before = await EventStream.open(bob.client);
    await post(ada, 'before the restart');
    await before.until(has('before the restart'));
    // Now: those who stay may hear of the next message before the others come back.
    const { lastId } = before;
    // Another process on the same database stands for the one that starts again.
    const other = await startServer(readConfig(server.environment, ''), {
      clock: server.clock.now,
      workerIntervalMs: 20,
    });
    try {
      const url = other.url.replace('localhost', '127.0.0.1');
      await ada.client.at(url).post('/v1/messages', { text: 'after it', addressed_teams: [team] });
      const after = await EventStream.open(bob.client.at(url), lastId);
      await after.until(has('after it'));
      expect(texts(after)).toEqual(['after it']);
      // The remaining members get the event, too.
      await before.until(has('after it'));
      before.close();
      after.close();
    } finally {
      await other.stop();
    }
  });

  it('reads missed messages together, and not one by one', async () => {
    const first = await EventStream.open(bob.client);
    first.close();
    for (let n = 0; n < 60; n++) await post(ada, `missed ${n}`);
    const reads = vi.spyOn(server.running.db, 'all');
    const again = await EventStream.open(bob.client, first.lastId);
    await again.until(has('missed 59'));
    const ofMessages = reads.mock.calls.filter(([sql]) => /^select "messages"\.\*/.test(sql));
    reads.mockRestore();
    expect(texts(again)).toEqual(Array.from({ length: 60 }, (_, n) => `missed ${n}`));
    expect(ofMessages.length).toBeGreaterThan(0);
    expect(ofMessages.length).toBeLessThan(6);
    again.close();
  });

  it('goes on after hundreds of events that no client is sent', async () => {
    const first = await EventStream.open(bob.client);
    first.close();
    const opened = { kind: 'object.opened', audience: { team }, data: {} };
    const now = server.clock.now();
    await server.running.db.write(async (tx) => {
      for (let n = 0; n < 600; n++) insertEvent(tx, opened as NewEvent, now);
    });
    await post(ada, 'after them');
    const again = await EventStream.open(bob.client, first.lastId);
    await again.until(has('after them'));
    expect(texts(again)).toEqual(['after them']);
    again.close();
  });

  // PostgreSQL chooses by statistics, which a table as small as here may lack.
  it.runIf(process.env.TEST_DATABASE === 'sqlite')('reads what one user missed by indexes', async () => {
    const { db } = server.running;
    const made: { sql: string; parameters: readonly unknown[] }[] = [];
    const noting: Reader = {
      dialect: db.dialect,
      all: (sql, parameters) => {
        made.push({ sql, parameters });
        return db.all(sql, parameters);
      },
    };
    await listEventsFor(noting, { userId: bob.id, after: 0, upTo: 1000, limit: 500 });
    const plans = await Promise.all(made.map(({ sql, parameters }) => planOf(db, sql, parameters)));
    expect(plans.map((plan) => /\bevents_\w+/.exec(plan)?.[0]).sort()).toEqual([
      'events_of_connections',
      'events_of_teams',
      'events_of_users',
    ]);
  });

  it.each([['nonsense'], [999_999_999], ['-1']])('from %s starts over, and says so', async (lastId) => {
    const stream = await EventStream.open(bob.client, lastId);
    expect(stream.events[0]?.kind).toBe('reset');
    stream.close();
  });
});

describe('presence', () => {
  const isOnline = async (who: Person) => (await bob.client.get(`/v1/users/${who.id}`)).data[0].online;

  it('comes and goes with the streams', async () => {
    const carol = await signUp(server, 'Carol');
    await join(ada, team, carol);
    expect(await isOnline(carol)).toBe(false);
    const bobs = await EventStream.open(bob.client);
    const about = () => bobs.of('presence').filter(({ data }) => data.user === carol.id);
    const first = await EventStream.open(carol.client);
    const second = await EventStream.open(carol.client);
    await bobs.until(() => about().length === 1);
    expect(await isOnline(carol)).toBe(true);
    first.close();
    await first.ended();
    expect(await isOnline(carol)).toBe(true);
    second.close();
    await goes(carol);
    await bobs.until(() => about().length === 2);
    expect(about().map(({ data }) => data.online)).toEqual([true, false]);
    bobs.close();
  });

  it('does not end with a stream that is lost for a few seconds (claim: presence-grace)', async () => {
    const [carol, eve] = [await signUp(server, 'Carol'), await signUp(server, 'Eve')];
    for (const one of [carol, eve]) await join(ada, team, one);
    // First, since a stream brings nothing of what was before.
    const bobs = await EventStream.open(bob.client);
    const [carols, eves] = await Promise.all([carol, eve].map((one) => EventStream.open(one.client)));
    const about = (who: Person) => bobs.of('presence').filter(({ data }) => data.user === who.id);
    await bobs.until(() => about(carol).length === 1 && about(eve).length === 1);
    await closeStream(eves as EventStream);
    server.clock.advance(3);
    await closeStream(carols as EventStream);
    // As long as a browser may be told to wait before it comes back. Eve has been away for longer.
    server.clock.advance(4);
    await bobs.until(() => about(eve).length === 2);
    expect(await isOnline(carol)).toBe(true);
    const again = await EventStream.open(carol.client);
    server.clock.advance(60);
    await goes(eve);
    expect([about(carol).length, await isOnline(carol)]).toEqual([1, true]);
    for (const stream of [bobs, again]) stream.close();
  });

  it('is not told in a team of more than 200, where it can be asked (claim: presence-watched)', async () => {
    const [carol, dora] = [await signUp(server, 'Carol'), await signUp(server, 'Dora')];
    const large = await makeTeam(carol, [dora]);
    await server.running.db.write((tx) =>
      tx.all(`UPDATE teams SET num_members = 200 WHERE id = '${large}'`, []),
    );
    const doras = await EventStream.open(dora.client);
    const about = () => doras.of('presence').filter(({ data }) => data.user === carol.id);
    const carols = await EventStream.open(carol.client);
    await doras.until(() => about().length === 1);
    await join(carol, large, await signUp(server, 'One more'));
    await closeStream(carols);
    await goes(carol, dora);
    const seen = await post(dora, 'after', { addressed_teams: [large] });
    await doras.until((events) => events.some(({ data }) => data.message?.id === seen));
    expect(about()).toHaveLength(1);
    doras.close();
  });

  /** Waits until the server has noticed, too. */
  async function closeStream(stream: EventStream): Promise<void> {
    const open = async () => (await ada.client.get('/v1/admin/server')).data[0].streams;
    const before = await open();
    stream.close();
    await stream.ended();
    await expect.poll(open).toBe(before - 1);
  }

  /** Lets the time pass after which a person without a stream is offline. */
  const goes = (who: Person, viewer = bob) =>
    expect
      .poll(async () => {
        server.clock.advance(7);
        return (await viewer.client.get(`/v1/users/${who.id}`)).data[0].online;
      })
      .toBe(false);

  it('lasts as long as the stream, and ends after a crash', async () => {
    const dave = await signUp(server, 'Dave');
    await join(ada, team, dave);
    const stream = await EventStream.open(dave.client);
    const bobs = await EventStream.open(bob.client);
    const about = () => bobs.of('presence').filter(({ data }) => data.user === dave.id && !data.online);
    server.clock.advance(89);
    // A node that died leaves a lease behind, which is not renewed.
    const ghost = await signUp(server, 'Ghost');
    await join(ada, team, ghost);
    const until = server.clock.now() + 60_000;
    await server.running.db.write(async (tx) => {
      await tx.all(`INSERT INTO presence VALUES ('${ghost.id}', 'dead', ${until})`, []);
      await tx.all(`UPDATE users SET online_until = ${until} WHERE id = '${ghost.id}'`, []);
    });
    expect(await isOnline(ghost)).toBe(true);
    server.clock.advance(61);
    await bobs.until((events) => events.some(({ data }) => data.user === ghost.id && data.online === false));
    expect(await isOnline(ghost)).toBe(false);
    expect([await isOnline(dave), about()]).toEqual([true, []]);
    stream.close();
    bobs.close();
  });

  it('ends for hundreds whose server died some at a time, and is told once of each', async () => {
    const { db } = server.running;
    const [now, crowd] = [server.clock.now(), await makeTeam(ada, [])];
    await db.write(async (tx) => {
      for (let n = 0; n < 450; n++)
        await insertMember(tx, {
          team: crowd,
          email: `ghost-${n}@example.org`,
          first_name: 'Ghost',
          last_name: String(n),
          now,
        });
    });
    const ghosts = `SELECT user_id FROM memberships WHERE team_id = '${crowd}' AND user_id <> '${ada.id}'`;
    // The second of two leases of the same person goes on.
    const [lucky] = await runSql<{ user_id: string }>(db, `${ghosts} ORDER BY user_id DESC LIMIT 1`);
    const elsewhere = now + 600_000;
    await db.write(async (tx) => {
      await tx.all(`INSERT INTO presence SELECT user_id, 'dead', ${now + 1} FROM (${ghosts}) AS ghosts`, []);
      await tx.all(`INSERT INTO presence VALUES ('${lucky?.user_id}', 'alive', ${elsewhere})`, []);
      await tx.all(`UPDATE users SET online_until = ${now + 1} WHERE id IN (${ghosts})`, []);
    });
    const count = countStatements(db);
    server.clock.advance(31);
    const told = `SELECT audience_id FROM events WHERE kind = 'presence' AND audience_id IN (${ghosts})`;
    await expect.poll(async () => (await runSql(db, told)).length).toBe(449);
    const ended = count
      .stop()
      .filter(({ texts }) => texts.some((text) => /delete from "presence"/.test(text)));
    expect(ended.length).toBeGreaterThanOrEqual(3);
    for (const { texts } of ended) expect(texts.length).toBeLessThan(10);
    expect(await runSql(db, `SELECT node_id FROM presence WHERE user_id IN (${ghosts})`)).toEqual([
      { node_id: 'alive' },
    ]);
    const online = await runSql<{ id: string }>(
      db,
      `SELECT id FROM users WHERE id IN (${ghosts}) AND online_until > 0`,
    );
    expect(online).toEqual([{ id: lucky?.user_id }]);
  });

  it('of many who come at once is written some at a time, and comes after a fault of the database', async () => {
    const { db } = server.running;
    const crowd = await Promise.all(Array.from({ length: 12 }, (_, n) => signUp(server, `Crowd ${n}`)));
    for (const one of crowd) await join(ada, team, one);
    const batch = db.batch.bind(db);
    let faults = 0;
    const spy = vi.spyOn(db, 'batch').mockImplementation((work, item, how) => {
      // The first writes of presence are those of the arrivals.
      const failing: typeof work = async (tx, items) => {
        const all = (sql: string, parameters: readonly unknown[]) => {
          if (faults < 2 && /insert into presence/i.test(sql)) {
            faults++;
            return Promise.reject(new DatabaseUnavailable('away'));
          }
          return tx.all(sql, parameters);
        };
        return work(Object.assign(Object.create(tx), { all }), items);
      };
      return batch(item === undefined ? failing : work, item, how);
    });
    const streams = await Promise.all(crowd.map((one) => EventStream.open(one.client)));
    await expect.poll(async () => (await Promise.all(crowd.map(isOnline))).every(Boolean)).toBe(true);
    spy.mockRestore();
    expect(faults).toBe(2);
    for (const stream of streams) stream.close();
  });
});
