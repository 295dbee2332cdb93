import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EDITS_CALL_MS } from '#platform/text/index.ts';
import { insertMember } from '../../../test/support/members.ts';
import {
  authorize,
  install,
  join,
  makeTeam,
  type Person,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const { server, host, ada, ben, cleo } = scene({ people: ['Ada', 'Ben', 'Cleo'] });
let outsider: Person;
let team: string;

beforeAll(async () => {
  outsider = await signUp(server, 'Olga');
});
beforeEach(async () => {
  team = await makeTeam(ada, [ben, cleo]);
});

const settle = () =>
  until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);

async function post(by: Person, text: string): Promise<string> {
  const answer = await by.client.post('/v1/messages', { text, addressed_teams: [team] });
  expect(answer.status).toBe(200);
  return answer.data[0].id;
}

const reply = async (by: Person, to: string, text: string) =>
  (await by.client.post(`/v1/messages/${to}/replies`, { text })).data[0].id;

const nameOf = async (person: Person) => `@${(await person.client.get('/v1/users/me')).data[0].username}`;

/** The last texts of the team's conversations that concern a person, and whether something new there calls them. */
async function told(person: Person): Promise<[string, boolean][]> {
  await settle();
  const { data } = await person.client.get('/v1/users/me/inbox?filter=all');
  return data
    .filter((row) => row.team === team && row.kind === 'conversation')
    .map((row) => [row.last.text, row.mentioned]);
}

describe('@team', () => {
  it('calls all who are in the team, and nobody else', async () => {
    await post(ada, 'Lunch, @team!');
    expect(await told(ben)).toEqual([['Lunch, @team!', true]]);
    expect(await told(cleo)).toEqual([['Lunch, @team!', true]]);
    expect(await told(ada)).toEqual([]);
    expect(await told(outsider)).toEqual([]);
    // A later member is not called.
    const late = await signUp(server, 'Late');
    await join(ada, team, late);
    expect(await told(late)).toEqual([]);
  });

  it('and no other name calls from code, a quote or the text of a link', async () => {
    const name = await nameOf(ben);
    for (const sign of ['@team', name])
      await post(ada, `> ${sign}\n\n\`${sign}\` [${sign}](https://a.example)\n\`\`\`\n${sign}\n\`\`\``);
    expect(await told(ben)).toEqual([]);
    const text = `> ${name}\n${name}, see above`;
    await post(ada, text);
    expect(await told(ben)).toEqual([[text, true]]);
  });

  it('calls all in an answer, too, but only those who take part in what is private', async () => {
    const root = await post(ada, 'Where do we eat?');
    await reply(ben, root, 'At the harbour, @team?');
    expect(await told(cleo)).toEqual([['At the harbour, @team?', true]]);
    const aside = await ada.client.post(`/v1/messages/${root}/sidebars`, {
      users: [ben.id],
      text: '@team no',
    });
    expect(aside.status).toBe(200);
    await ada.client.post('/v1/messages', { text: '@team quietly', addressed_users: [ben.id] });
    expect(await told(cleo)).toEqual([['At the harbour, @team?', true]]);
  });

  it('stays out of what a member has muted, where their own name comes through', async () => {
    await ben.client.patch(`/v1/users/me/teams/${team}`, { is_muted: true });
    await post(ada, '@team, again');
    expect(await told(ben)).toEqual([]);
    await post(ada, `@team and ${await nameOf(ben)}`);
    expect(await told(ben)).toHaveLength(1);
    await ben.client.patch(`/v1/users/me/teams/${team}`, { is_muted: false });
  });

  it.each(['here', 'channel', 'all', 'everyone', 'teams'])(
    'is the only name of all: not @%s',
    async (name) => {
      await post(ada, `Hello @${name}`);
      expect(await told(ben)).toEqual([]);
    },
  );

  it('reaches more people than are looked at in one transaction', async () => {
    const { db } = server.running;
    const now = server.clock.now();
    await db.write(async (tx) => {
      for (let n = 0; n < 450; n++)
        await insertMember(tx, {
          team,
          email: `crew${n}@example.org`,
          first_name: `${n}`,
          last_name: '',
          now,
        });
    });
    const message = await post(ada, 'All hands, @team');
    await settle();
    const rows = await runSql(db, 'SELECT user_id FROM inbox_entries WHERE mention_id = ?', [message]);
    expect(rows).toHaveLength(452);
  });
});

describe('a program (claim: programs-call-many)', () => {
  const allow = (programs_notify: boolean) => ada.client.patch(`/v1/teams/${team}`, { programs_notify });

  it('calls a team only where its admins allow it; a person by name in any case', async () => {
    const { url } = (await ada.client.post(`/v1/teams/${team}/webhooks`, { name: 'Alarm' })).data[0];
    const application = await register(ada, host);
    await install(ada, team, application);
    const { access_token } = await authorize(ben, team, application);
    const ways = {
      // In the name of a person.
      application: (text: string) =>
        ben.client.withToken(access_token).post('/v1/messages', { text, addressed_teams: [team] }),
      webhook: async (text: string) => fetch(url, { method: 'POST', body: JSON.stringify({ text }) }),
    };
    const notified: string[] = [];
    for (const isAllowed of [false, true, false]) {
      if (isAllowed || notified.length > 0) {
        const changed = await allow(isAllowed);
        expect(changed.data[0].programs_notify).toBe(isAllowed);
      }
      for (const [way, send] of Object.entries(ways)) {
        expect((await send(`@team, says the ${way}`)).status).toBe(200);
        await send(`${await nameOf(cleo)}, says the ${way}`);
      }
      const texts = (await told(cleo)).filter(([, mentioned]) => mentioned).map(([text]) => text);
      notified.push(...texts);
      await cleo.client.put('/v1/users/me/read');
    }
    const called = notified.filter((text) => text.startsWith('@team')).sort();
    expect(called).toEqual(['@team, says the application', '@team, says the webhook']);
    expect(notified).toHaveLength(8);
  });

  it('does not allow itself to, with the token of an admin', async () => {
    const application = await register(ada, host, { scopes: ['team:write'] });
    await install(ada, team, application);
    const token = ada.client.withToken((await authorize(ada, team, application)).access_token);
    const refused = await token.patch(`/v1/teams/${team}`, { programs_notify: true });
    expect([refused.status, refused.body.errors[0].reason]).toEqual([403, 'session']);
    expect((await token.patch(`/v1/teams/${team}`, { name: 'Tarts' })).status).toBe(200);
    expect((await ada.client.get(`/v1/teams/${team}`)).data[0].programs_notify).toBe(false);
  });

  it('is allowed that by admins alone', async () => {
    expect((await ada.client.get(`/v1/teams/${team}`)).data[0].programs_notify).toBe(false);
    expect((await ben.client.patch(`/v1/teams/${team}`, { programs_notify: true })).status).toBe(403);
    expect((await ada.client.get(`/v1/teams/${team}`)).data[0].programs_notify).toBe(false);
  });
});

describe('an edit', () => {
  const edit = (id: string, text: string) => ada.client.patch(`/v1/messages/${id}`, { text });

  it('calls those whom it names for the first time, also those who have read the message', async () => {
    const id = await post(ada, `Who helps ${await nameOf(ben)}?`);
    expect(await told(ben)).toHaveLength(1);
    await cleo.client.put(`/v1/messages/${id}/read`);
    await ben.client.put(`/v1/messages/${id}/read`);
    const text = `Who helps ${await nameOf(ben)}? ${await nameOf(cleo)}?`;
    expect((await edit(id, text)).status).toBe(200);
    expect(await told(cleo)).toEqual([[text, true]]);
    expect((await ben.client.get(`/v1/messages/${id}`)).data[0].read).toBe(true);
    // Once: a name that comes back calls nobody again.
    await cleo.client.put(`/v1/messages/${id}/read`);
    await edit(id, 'Who helps?');
    await edit(id, `Who helps? ${await nameOf(cleo)}!`);
    expect((await told(cleo)).map(([, mentioned]) => mentioned)).toEqual([false]);
  });

  it('of what opened a conversation calls those who were called in its answers before', async () => {
    await ben.client.put('/v1/users/me/read');
    const id = await post(ada, 'Who helps?');
    await reply(ada, id, `You, ${await nameOf(ben)}?`);
    await told(ben);
    await ben.client.put(`/v1/messages/${id}/read`);
    await edit(id, `Who helps? ${await nameOf(ben)}?`);
    expect((await told(ben)).map(([, mentioned]) => mentioned)).toEqual([true]);
    expect((await ben.client.get('/v1/users/me/inbox/counts')).data[0].mentions).toBe(1);
    await ben.client.put(`/v1/messages/${id}/read`);
    expect((await told(ben)).map(([, mentioned]) => mentioned)).toEqual([false]);
  });

  it('of an answer calls, too, and so does @team', async () => {
    const root = await post(ada, 'Where?');
    const answer = await reply(ada, root, 'Here');
    await edit(answer, `Here, ${await nameOf(ben)}`);
    expect((await told(ben)).map(([, mentioned]) => mentioned)).toEqual([true]);
    expect(await told(cleo)).toEqual([]);
    await edit(answer, 'Here, @team');
    expect((await told(cleo)).map(([, mentioned]) => mentioned)).toEqual([true]);
    expect(await told(outsider)).toEqual([]);
  });

  it('by an application in its author’s name calls many only where that is allowed', async () => {
    const application = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
    await install(ada, team, application);
    const { access_token } = await authorize(ada, team, application);
    const editBy = (id: string, text: string) =>
      ada.client.withToken(access_token).patch(`/v1/messages/${id}`, { text });
    const id = await post(ada, 'Quiet');
    expect((await editBy(id, 'Loud, @team')).status).toBe(200);
    expect(await told(ben)).toEqual([]);
    await editBy(id, `Loud, @team and ${await nameOf(cleo)}`);
    expect([await told(ben), (await told(cleo)).length]).toEqual([[], 1]);
    await ada.client.patch(`/v1/teams/${team}`, { programs_notify: true });
    const other = await post(ada, 'Quiet again');
    await editBy(other, 'Loud again, @team');
    expect(await told(ben)).toEqual([['Loud again, @team', true]]);
  });

  it('calls nobody ten minutes after the message', async () => {
    const id = await post(ada, 'Who helps?');
    server.clock.advance(EDITS_CALL_MS / 1000 + 1);
    await edit(id, `Who helps? ${await nameOf(cleo)}? @team?`);
    expect(await told(cleo)).toEqual([]);
  });
});
