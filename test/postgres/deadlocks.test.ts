import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { ask } from '../support/cluster.ts';
import { EventStream } from '../support/event-stream.ts';
import { Mailbox, mailsSettle, proveAddress } from '../support/mailbox.ts';
import {
  ApplicationHost,
  authorize,
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { uploadText } from '../support/reach.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const ROUNDS = 2;
const MESSAGES = 20;
const HOUR_S = 3600;
const MOST_WEBHOOKS = 50;

let database: string;
let mailbox: Mailbox;
let one: TestServer;
let two: TestServer;
let author: Person;
let members: Person[];
let team: string;

const at = (node: TestServer, { client }: Person = author) => client.at(node.url);
const statuses = (answers: Answer[]) => new Set(answers.map(({ status }) => status));

/** SQLite has one writer: no transaction waits for another that waits for it. */
describe('two servers that change the same rows', () => {
  beforeEach(async () => {
    database = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    // The server of the tests counts nothing, deadlocks neither.
    await ask(database, `ALTER DATABASE ${new URL(database).pathname.slice(1)} SET track_counts = on`);
    mailbox = await new Mailbox().start();
    const settings = {
      DATABASE_URL: database,
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'parley@example.org',
      MAIL_BATCH_SECONDS: '0',
    };
    one = await startTestServer(settings, { workerIntervalMs: 5 });
    two = await startTestServer(one.environment, { workerIntervalMs: 5 });
    author = await signUp(one, 'Ada');
    members = [];
    for (let n = 0; n < 6; n++) members.push(await signUp(one, `Member ${n}`));
    team = await makeTeam(author, members);
    await mailsSettle(one);
  });
  afterEach(async () => {
    await Promise.all([one.stop(), two.stop()]);
    await mailbox.stop();
  });

  it('in opposing orders end in no deadlock: posts, mails, the index, edits and deletions', async () => {
    const ids = members.map(({ id }) => id);
    const groups = [ids, ids.toReversed(), [...ids.slice(4), ...ids.slice(0, 4)]];
    for (let round = 0; round < ROUNDS; round++) {
      const posted = await Promise.all(
        Array.from({ length: MESSAGES }, (_, n) =>
          at(n % 2 ? one : two).post('/v1/messages', {
            text: `apple ${round} ${n}`,
            ...(n % 3 ? { addressed_users: groups[n % groups.length] } : { addressed_teams: [team] }),
          }),
        ),
      );
      expect(statuses(posted)).toEqual(new Set([200]));
      const messages = posted.map(({ data }) => data[0].id as string);
      const forwards = messages.map((id) => at(one).patch(`/v1/messages/${id}`, { text: `pear ${id}` }));
      const backwards = messages
        .toReversed()
        .map((id) => at(two).patch(`/v1/messages/${id}`, { text: `plum ${id}` }));
      const searches = members.map((member, n) => at(n % 2 ? one : two, member).get('/v1/messages?q=p'));
      const reads = members.map((member, n) =>
        at(n % 2 ? two : one, member).put(`/v1/messages/${messages[n + 1]}/read`),
      );
      expect(statuses(await Promise.all([...forwards, ...backwards, ...searches, ...reads]))).toEqual(
        new Set([200]),
      );
      const deletions = [
        ...messages.filter((_, n) => n % 2).map((id) => at(one).delete(`/v1/messages/${id}`)),
        ...messages
          .filter((_, n) => n % 2 === 0)
          .toReversed()
          .map((id) => at(two).delete(`/v1/messages/${id}`)),
        ...members.map((member, n) => at(n % 2 ? one : two, member).get('/v1/messages?q=p')),
      ];
      expect(statuses(await Promise.all(deletions))).toEqual(new Set([200]));
    }
    await expectNoDeadlock();
  });

  it('in groups that repeat each other’s requests end in no deadlock, and post nothing twice', async () => {
    const send = (node: TestServer) => (text: string) =>
      at(node).post('/v1/messages', { text, addressed_teams: [team] }, { 'Idempotency-Key': text });
    for (let round = 0; round < ROUNDS; round++) {
      const texts = Array.from({ length: 40 }, (_, n) => `post ${round} ${n}`);
      const answers = await Promise.all([...texts.map(send(one)), ...texts.toReversed().map(send(two))]);
      expect(statuses(answers)).toEqual(new Set([200]));
      expect(new Set(answers.map(({ data }) => data[0].id)).size).toBe(texts.length);
    }
    await expectNoDeadlock();
  });

  it('with one Idempotency-Key for several requests end in no deadlock, and one of them is answered', async () => {
    const other = await makeTeam(author);
    const file = await uploadText(author, 'a file');
    const send = (node: TestServer, team: string, more: object = {}) => {
      const body = { text: 'once', addressed_teams: [team], ...more };
      return (key: string) => at(node).post('/v1/messages', body, { 'Idempotency-Key': key });
    };
    for (let round = 0; round < ROUNDS; round++) {
      const keys = Array.from({ length: 40 }, (_, n) => `key ${round} ${n}`);
      const answers = await Promise.all([
        ...keys.map(send(one, team)),
        ...keys.toReversed().map(send(two, other)),
        ...keys.map(send(two, team, { attachments: { files: [file] } })),
      ]);
      expect(statuses(answers)).toEqual(new Set([200, 409]));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(keys.length);
    }
    await expectNoDeadlock();
  });

  it('in groups of replies, beside all that touches their conversation, end in no deadlock and leave no gap', async () => {
    const post = (node: TestServer, text: string) =>
      at(node).post('/v1/messages', { text, addressed_teams: [team] });
    const [first, second] = [(await post(one, 'first')).data[0].id, (await post(two, 'second')).data[0].id];
    const reply = (node: TestServer, to: string, n: number, key: string) =>
      at(node, members[n % members.length]).post(
        `/v1/messages/${to}/replies`,
        { text: `reply ${key}` },
        { 'Idempotency-Key': key },
      );
    const answered = (await reply(one, first, 0, 'answered')).data[0].id;
    for (let round = 0; round < ROUNDS; round++) {
      const keys = Array.from({ length: MESSAGES }, (_, n) => `${round} ${n}`);
      const answers = await Promise.all([
        ...keys.map((key, n) => reply(one, first, n, `a ${key}`)),
        // An answer to a reply belongs to the same conversation, but has another lane.
        ...keys.map((key, n) => reply(two, answered, n, `b ${key}`)),
        ...keys.map((key, n) => reply(n % 2 ? one : two, second, n, `c ${key}`)),
        ...keys.map((key, n) => reply(two, first, n, `a ${key}`)),
        ...members.map((member, n) => at(n % 2 ? one : two, member).put('/v1/users/me/read')),
        ...members.map((member, n) => at(n % 2 ? two : one, member).put(`/v1/messages/${first}/high_five`)),
        at(one).patch(`/v1/messages/${first}`, { text: `first ${round}` }),
        at(two).patch(`/v1/messages/${second}`, { text: `second ${round}` }),
      ]);
      expect(statuses(answers)).toEqual(new Set([200]));
    }
    const rows = await ask<{ seqs: number[] }>(
      database,
      'SELECT array_agg(reply_seq::int ORDER BY reply_seq) AS seqs FROM messages WHERE root_id IS NOT NULL GROUP BY root_id',
    );
    for (const { seqs } of rows) expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(rows.map(({ seqs }) => seqs.length).sort()).toEqual([
      ROUNDS * MESSAGES,
      2 * ROUNDS * MESSAGES + 1,
    ]);
    await expectNoDeadlock();
  });

  it('of one inbox: what is done, brought back, read, unread and answered, and mutes that end', async () => {
    const [member] = members as [Person];
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) {
      const to = n % 2 ? { addressed_users: [member.id] } : { addressed_teams: [team] };
      const [{ id }] = (await at(one).post('/v1/messages', { text: `message ${n}`, ...to })).data;
      await at(one, member).post(`/v1/messages/${id}/replies`, { text: 'a reply of the member' });
      ids.push(id);
    }
    const over = Math.floor(one.clock.now() / 1000) + HOUR_S;
    for (let round = 0; round < ROUNDS; round++) {
      const asked = ids.map(async (id, n) => {
        const path = `/v1/users/me/inbox/${id}/done`;
        const [here, there] = n % 2 ? [one, two] : [two, one];
        const [{ id: reply }] = (await at(here).post(`/v1/messages/${id}/replies`, { text: 'new' })).data;
        return Promise.all(
          [here, there, here, there].flatMap((node, times) => [
            at(node, member).put(`${path}?num_replies=${times}`),
            at(node, member).delete(path),
            at(node, member).put(`/v1/messages/${reply}/read`),
            at(node, member).delete(`/v1/messages/${reply}/read`),
            at(node, member).delete(`/v1/messages/${id}/read`),
            at(node, member).put(`/v1/messages/${id}/read`),
            at(node, member).put(`/v1/users/me/mutes/message/${id}`, { until: over + round }),
          ]),
        );
      });
      const reads = [one, two].map((node) => at(node, member).put('/v1/users/me/read'));
      const answers = (await Promise.all([...asked, Promise.all(reads)])).flat();
      // The reply may not have come to the inbox yet.
      expect([...statuses(answers)].filter((status) => status !== 200 && status !== 404)).toEqual([]);
    }
    const stream = await EventStream.open(at(one, member));
    const say = async (text: string): Promise<void> => {
      await at(one).post('/v1/messages', { text, addressed_teams: [team] });
      await stream.until((events) => events.some(({ data }) => data.message?.text === text));
    };
    // Events of the last round may come after the stream has begun, and come before this message.
    await say('the beginning');
    const before = stream.events.length;
    // Both servers find the same mutes at once; each of them ends once.
    for (const { clock } of [one, two]) clock.advance(2 * HOUR_S);
    await until(async () => (await at(one, member).get('/v1/users/me/mutes')).data.length === 0);
    await say('the end');
    const since = stream.events.slice(before);
    const ended = since.filter(({ kind }) => kind === 'mute').map(({ data }) => data.id as string);
    expect(ended.sort()).toEqual(ids.toSorted());
    stream.close();
    await expectNoDeadlock();
  });

  it('of one mute: set and ended again and again, with and without an end', async () => {
    const [member] = members as [Person];
    const [{ id }] = (await at(one).post('/v1/messages', { text: 'a message', addressed_teams: [team] }))
      .data;
    const until = Math.floor(one.clock.now() / 1000) + HOUR_S;
    for (const place of [`message/${id}`, `team/${team}`]) {
      const path = `/v1/users/me/mutes/${place}`;
      const answers = await Promise.all(
        Array.from({ length: MESSAGES }, (_, n) => at(n % 2 ? one : two, member)).flatMap((client, n) => [
          client.put(path, { until: until + n }),
          client.put(path, { until: null }),
          client.delete(path),
        ]),
      );
      expect(statuses(answers)).toEqual(new Set([200]));
    }
    await expectNoDeadlock();
  });

  it('of one invitation: two inviters withdraw theirs at once', async () => {
    const [second, third] = members as [Person, Person];
    const place = await makeTeam(author, [second, third]);
    const path = `/v1/teams/${place}/invitations`;
    const ids: string[] = [];
    for (const admin of [author, second, third]) {
      await at(one).patch(`/v1/teams/${place}/users/${admin.id}`, { membership_type: 1 });
      ids.push((await at(one, admin).post(path, { emails: ['new@example.org'] })).data[0].id);
    }
    const answers = await behind(
      `SELECT FROM invitations WHERE id = '${ids[0]}' FOR NO KEY UPDATE`,
      () => at(one, second).delete(`${path}/${ids[1]}`),
      () => at(two, third).delete(`${path}/${ids[2]}`),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    await expectNoDeadlock();
  });

  it('of one invitation: it is accepted and made again at once', async () => {
    const [person] = members as [Person];
    const place = await makeTeam(author);
    const invite = () =>
      at(two).post(`/v1/teams/${place}/invitations`, { emails: [person.email], membership_type: 2 });
    const { token } = (await invite()).data[0];
    const answers = await behind(`SELECT FROM teams WHERE id = '${place}' FOR NO KEY UPDATE`, invite, () =>
      at(one, person).put(`/v1/invitations/${token}`),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await expectNoDeadlock();
  });

  it('of an account: it joins a team while its address is confirmed, which lets it in, too', async () => {
    await at(one).post('/v1/admin/domain_rules', { domain: 'example.org', team });
    const { token } = (await at(one).post(`/v1/teams/${team}/join_links`)).data[0];
    const person = await signUp(one, 'New');
    const answers = await behind(
      `SELECT FROM teams WHERE id = '${team}' FOR NO KEY UPDATE`,
      () => at(two, person).put(`/v1/join_links/${token}`),
      async () => {
        await proveAddress(mailbox, person);
        return at(one, person).get(`/v1/teams/${team}`);
      },
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await expectNoDeadlock();
  });

  it('of two accounts: their confirmed addresses let them into the same teams, in different orders', async () => {
    const [both, first, second] = [await makeTeam(author), await makeTeam(author), await makeTeam(author)];
    const signUpWaiting = async (domain: string, place: string, others: string[]) => {
      for (const other of others) await at(one).post('/v1/admin/domain_rules', { domain, team: other });
      const { data } = await at(one).post(`/v1/teams/${place}/join_links`, { domains: [domain] });
      return signUp(one, 'New', { email: `new@${domain}`, join_link: data[0].token });
    };
    const people = [
      await signUpWaiting('one.example.org', second, [both, first]),
      await signUpWaiting('two.example.org', first, [both, second]),
    ];
    await behind(
      `SELECT FROM teams WHERE id = '${both}' FOR NO KEY UPDATE`,
      ...people.map((person) => async () => {
        await proveAddress(mailbox, person);
        return at(two, person).get(`/v1/teams/${first}`);
      }),
    );
    for (const person of people) {
      const { data } = await at(one, person).get('/v1/users/me/teams');
      expect(data).toHaveLength(3);
    }
    await expectNoDeadlock();
  });

  it('of two accounts: one is made with a link and an invitation, and the address of the other lets it into both teams', async () => {
    const [first, both, last] = [await makeTeam(author), await makeTeam(author), await makeTeam(author)];
    for (const other of [first, both, last])
      await at(one).post('/v1/admin/domain_rules', { domain: 'one.example.org', team: other });
    const known = await signUp(one, 'Known', { email: 'known@one.example.org' });
    const link = (await at(one).post(`/v1/teams/${last}/join_links`)).data[0].token;
    const emails = ['new@two.example.org'];
    const invited = (await at(one).post(`/v1/teams/${first}/invitations`, { emails })).data[0].token;
    const answers = await behind(
      `SELECT FROM teams WHERE id = '${both}' FOR NO KEY UPDATE`,
      async () => {
        await proveAddress(mailbox, known);
        return at(one, known).get(`/v1/teams/${last}`);
      },
      async () => {
        const made = await signUp(two, 'New', { email: emails[0], join_link: link, invitation: invited });
        return at(two, made).get(`/v1/teams/${first}`);
      },
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await expectNoDeadlock();
  });

  it('of a message: it is saved and pinned, and who saves it closes their account', async () => {
    const [member] = members as [Person];
    const { data } = await at(one).post('/v1/messages', { text: 'a message', addressed_teams: [team] });
    const answers = await behind(
      `SELECT FROM users WHERE id = '${member.id}' FOR NO KEY UPDATE`,
      () => at(one, member).post('/v1/users/me/deactivation', { password: member.client.password }),
      () => at(two, member).put(`/v1/users/me/saved/${data[0].id}`),
      () => at(one).put(`/v1/teams/${team}/pins/${data[0].id}`),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await expectNoDeadlock();
  });

  it('of a member: they are removed and close their account while they mark everything as read', async () => {
    const [member] = members as [Person];
    await at(one).post('/v1/messages', { text: 'a message', addressed_teams: [team] });
    const answers = await behind(
      `SELECT FROM users WHERE id = '${member.id}' FOR NO KEY UPDATE`,
      () => at(one, member).post('/v1/users/me/deactivation', { password: member.client.password }),
      () => at(two, member).put('/v1/users/me/read'),
      () => at(one).delete(`/v1/teams/${team}/users/${member.id}`),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await expectNoDeadlock();
  });

  it('of a member: they are removed while they mark everything as read', async () => {
    const [member] = members as [Person];
    for (const text of ['first', 'second'])
      await at(one).post('/v1/messages', { text, addressed_teams: [team] });
    const [{ id }] = (await at(one, member).get(`/v1/messages?team=${team}`)).data;
    await at(one, member).put(`/v1/messages/${id}/read`);
    const answers = await behind(
      'SELECT FROM read_marks FOR UPDATE',
      () => at(one).delete(`/v1/teams/${team}/users/${member.id}`),
      () => at(two, member).put('/v1/users/me/read'),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await expectNoDeadlock();
  });

  it('of an account: two links that were mailed for its password are used at once', async () => {
    const [member] = members as [Person];
    const tokens: string[] = [];
    for (let n = 0; n < 2; n++) {
      await one.anonymous().post('/v1/password_resets', { email: member.email });
      const { text } = await mailbox.next(
        member.email,
        (mail) =>
          mail.text.includes('/password_resets/') && !tokens.some((token) => mail.text.includes(token)),
      );
      tokens.push(/password_resets\/([\w-]+)/.exec(text)?.[1] as string);
    }
    const [first, second] = tokens;
    const password = { password: 'another password of length' };
    const answers = await behind(
      `SELECT FROM users WHERE id = '${member.id}' FOR NO KEY UPDATE`,
      () => one.anonymous().put(`/v1/password_resets/${first}`, password),
      () => two.anonymous().put(`/v1/password_resets/${second}`, password),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
    await expectNoDeadlock();
  });

  describe('of an application that a member has agreed to', () => {
    let host: ApplicationHost;
    let application: RegisteredApplication;
    let member: Person;
    const reopen = (node: TestServer) =>
      at(node, member).get(`/v1/applications/${application.id}/open?team=${team}`);
    const remove = (node: TestServer) => at(node).delete(`/v1/teams/${team}/users/${member.id}`);
    const WITH_AGREEMENT = 'SELECT FROM agreements FOR UPDATE';

    beforeEach(async () => {
      host = await new ApplicationHost().start();
      [member] = members as [Person];
      application = await register(author, host, { team_update_url: `${host.url}/update` });
      await install(author, team, application);
      await authorize(member, team, application);
    });
    afterEach(() => host.stop());

    it('the member’s account is closed while they are removed', async () => {
      await at(one).patch(`/v1/teams/${team}/users/${member.id}`, { membership_type: 1 });
      await at(one, member).post(`/v1/teams/${team}/invitations`, { emails: ['new@example.org'] });
      const answers = await behind(
        WITH_AGREEMENT,
        () => at(two).patch(`/v1/admin/users/${member.id}`, { active: false }),
        () => remove(one),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await expectNoDeadlock();
    });

    it('its owner closes their account while it is given to them', async () => {
      await at(one).put(`/v1/admin/applications/${application.id}/owner`, { user: member.id });
      const answers = await behind(
        'SELECT FROM applications FOR UPDATE',
        () => at(two).put(`/v1/admin/applications/${application.id}/owner`, { user: member.id }),
        () => at(one, member).post('/v1/users/me/deactivation', { password: member.client.password }),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await expectNoDeadlock();
    });

    it('the member sets a password by a mailed link while a team that their address lets in removes them', async () => {
      await at(one).post('/v1/admin/domain_rules', { domain: 'example.org', team });
      await one.anonymous().post('/v1/password_resets', { email: member.email });
      const { text } = await mailbox.next(member.email, (mail) => mail.text.includes('/password_resets/'));
      const token = /password_resets\/([\w-]+)/.exec(text)?.[1];
      const given = { password: 'another password of length', applications: 'end' };
      const answers = await behind(
        WITH_AGREEMENT,
        () => one.anonymous().put(`/v1/password_resets/${token}`, given),
        () => remove(two),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await expectNoDeadlock();
    });

    it('a form of it is closed while it is uninstalled', async () => {
      const [root, above] = [randomUUID(), randomUUID()];
      // A form that was changed after the one that lies on it.
      for (const [id, level] of [
        [above, 2],
        [root, 1],
      ] as const)
        await ask(
          database,
          `INSERT INTO forms (id, root_id, level, user_id, team_id, application_id, title, notify_on_close, blocks_json, hash,
             created_at) VALUES ('${id}', '${root}', ${level}, '${member.id}', '${team}', '${application.id}', 'Form', 0, '[]',
             '${id}', ${one.clock.now()})`,
        );
      const answers = await behind(
        'SELECT FROM forms WHERE level = 1 FOR NO KEY UPDATE',
        () => at(one, member).delete(`/v1/forms/${root}`),
        () => at(two).delete(`/v1/teams/${team}/applications/${application.id}`),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await expectNoDeadlock();
    });

    it('a preview of it is removed while it gives its links up', async () => {
      const link = 'https://tasks.example/7';
      const linked = {
        scopes: ['messages:read', 'messages:write'],
        link_prefixes: ['https://tasks.example/'],
      };
      const other = await register(author, host, { ...linked, name: 'Tasks' });
      await install(author, team, other);
      const form = { grant_type: 'client_credentials', team };
      const { body } = await other.credentials.ask('POST', '/v1/oauth2/token', { form });
      const { data } = await at(one).post('/v1/messages', { text: link, addressed_teams: [team] });
      const path = `/v1/messages/${data[0].id}/unfurls`;
      const bot = at(one).withToken(body.access_token);
      await bot.put(path, { unfurls: [{ url: link, title: 'Seven' }] });
      const [{ unfurls }] = (await at(one).get(`/v1/messages/${data[0].id}`)).data;
      const answers = await behind(
        `SELECT FROM messages WHERE id = '${data[0].id}' FOR NO KEY UPDATE`,
        () => at(one).delete(`${path}/${unfurls[0].id}`),
        () => at(two).patch(`/v1/applications/${other.id}`, { link_prefixes: [] }),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await expectNoDeadlock();
    });

    it('it is uninstalled while the member is removed', async () => {
      const answers = await behind(
        WITH_AGREEMENT,
        () => remove(one),
        () => at(two).delete(`/v1/teams/${team}/applications/${application.id}`),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await expectNoDeadlock();
    });

    it('the member opens it while they are removed', async () => {
      const answers = await behind(
        WITH_AGREEMENT,
        () => remove(one),
        () => reopen(two),
      );
      expect(answers[0]?.status).toBe(200);
      await expectNoDeadlock();
    });

    it('the member opens it while it is deleted', async () => {
      const answers = await behind(
        WITH_AGREEMENT,
        () => at(one).delete(`/v1/applications/${application.id}`),
        () => reopen(two),
      );
      expect(answers[0]?.status).toBe(200);
      await expectNoDeadlock();
    });

    it('the member opens it while it gets another owner', async () => {
      const answers = await behind(
        WITH_AGREEMENT,
        () => at(one).put(`/v1/admin/applications/${application.id}/owner`, { user: member.id }),
        () => reopen(two),
      );
      expect(answers[0]?.status).toBe(200);
      await expectNoDeadlock();
    });
  });

  it('of one team: it gets no more webhooks than it may have', async () => {
    const path = `/v1/teams/${team}/webhooks`;
    const make = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) => at(n % 2 ? one : two).post(path, { name: 'Program' })),
      );
    await make(MOST_WEBHOOKS - 1);
    expect([...statuses(await make(10))].sort()).toEqual([200, 409]);
    expect((await at(one).get(path)).data).toHaveLength(MOST_WEBHOOKS);
    await expectNoDeadlock();
  });

  /** Begins requests, each once the one before waits for a lock or is answered, while others hold what a statement locks. */
  async function behind(locking: string, ...requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    const operator = new pg.Client(database);
    await operator.connect();
    await operator.query('BEGIN');
    await operator.query(locking);
    let open = 0;
    const answers: Promise<Answer>[] = [];
    for (const request of requests) {
      open++;
      answers.push(request().finally(() => open--));
      await until(async () => (await ask(database, waiting)).length >= open);
    }
    await operator.end();
    return Promise.all(answers);
  }

  async function expectNoDeadlock(): Promise<void> {
    await mailsSettle(one);
    // A connection reports its statistics when it ends.
    await Promise.all([one.stop(), two.stop()]);
    expect(await countDeadlocks()).toBe(0);
  }
});

async function countDeadlocks(): Promise<number> {
  const open = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley'`;
  await until(async () => (await ask(database, open)).length === 0);
  const sql = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
  return (await ask<{ deadlocks: number }>(database, sql))[0]?.deadlocks ?? Number.NaN;
}
