// Bob may read what Ada tells him: in a team, beside a message, directly. He refers to it where Mallory reads along, in the
// hope that the server spreads the words with the reference, and Mallory asks for what Bob refers to. Then Bob is removed
// and asks again. A reference stays the address that it is, wherever it goes; its message is read by each for themselves.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventStream } from '../support/event-stream.ts';
import { allPlaced, pathOf, pullAll, subscribe } from '../support/feed.ts';
import { mailsGo, proveAddress } from '../support/mailbox.ts';
import { install, makeTeam, register } from '../support/people.ts';
import { PushService } from '../support/push-service.ts';
import { converse } from '../support/reach.ts';
import { scene } from '../support/scene.ts';

const { server, host, mailbox, ada, bob, mallory } = scene({ people: ['Ada', 'Bob', 'Mallory'], mail: true });

const devices = new PushService();
beforeAll(() => devices.start());
afterAll(() => devices.stop());

it('a reference brings nobody the words that it refers to (claim: quotes-read-by-each)', async () => {
  const [inner, open] = [await makeTeam(ada, [bob]), await makeTeam(ada, [bob, mallory])];
  const app = await register(mallory, host, { scopes: ['messages:read'] });
  await install(ada, open, app);
  const { id: subscription } = await subscribe(app);
  for (const person of [bob, mallory]) await proveAddress(mailbox, person);
  const { root, reply, aside } = await converse(ada, bob, { addressed_teams: [inner] });
  const direct = await ada.client.post('/v1/messages', { text: 'secret direct', addressed_users: [bob.id] });
  const asked = [root, reply, aside, direct.data[0].id];
  const stream = await EventStream.open(mallory.client);
  await mallory.client.patch('/v1/users/me/push_settings', { content: 'all' });
  const name = (await mallory.client.get('/v1/users/me')).data[0].username;
  const text = `@${name} ${asked.map((id) => `${server.running.url}/messages/${id}#quote=0-6`).join(' ')}`;
  const posted = await bob.client.post('/v1/messages', { text, addressed_teams: [open] });
  await stream.until((events) => JSON.stringify(events).includes(posted.data[0].id));
  stream.close();
  await mailsGo(server);
  await allPlaced(server);
  // With a device before, either the mail or the push would tell of it, as whichever is first.
  await devices.subscribe(mallory.client, 'phone');
  await bob.client.post('/v1/messages', { text, addressed_teams: [open] });
  const archive = await mallory.client.get('/v1/users/me/export');
  const shown = {
    posted: posted.text,
    list: (await mallory.client.get(`/v1/messages?team=${open}`)).text,
    found: (await mallory.client.get('/v1/messages?q=secret')).text,
    inbox: (await mallory.client.get('/v1/users/me/inbox')).text,
    live: JSON.stringify(stream.events),
    ledger: JSON.stringify(await pullAll(app.credentials, pathOf(app, subscription), 'since=0')),
    mails: mailbox
      .of(mallory.email)
      .map((mail) => `${mail.text} ${mail.html}`)
      .join(),
    archive: archive.text,
    push: JSON.stringify((await devices.next('phone')).content),
  };
  for (const [where, content] of Object.entries(shown)) {
    if (where !== 'found') expect([where, content.includes(root)]).toEqual([where, where !== 'archive']);
    expect([where, content.includes('secret')]).toEqual([where, false]);
  }
  const quoted = await mallory.client.get(`/v1/quotes?messages=${asked.join()}`);
  expect(quoted.data).toEqual([null, null, null, null]);
});

it('who was removed from a team reads nothing of it through a reference any more', async () => {
  const team = await makeTeam(ada, [bob]);
  const { root, reply, aside } = await converse(ada, bob, { addressed_teams: [team] });
  const asked = `/v1/quotes?messages=${[root, reply, aside].join()}`;
  const ids = async () => (await bob.client.get(asked)).data.map((message) => message?.id ?? null);
  expect(await ids()).toEqual([root, reply, aside]);
  await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
  expect(await ids()).toEqual([null, null, null]);
});

it('a card in the body of a message is no card', async () => {
  const team = await makeTeam(ada, [bob]);
  const words = { text: 'I resign', author: { id: bob.id } };
  const text = 'look';
  for (const fields of [
    { quotes: [words] },
    { unfurls: [words] },
    { attachments: [{ type: 'quote', ...words }] },
  ]) {
    const { data } = await ada.client.post('/v1/messages', { text, addressed_teams: [team], ...fields });
    expect(Object.keys(data?.[0] ?? {})).not.toContain('quotes');
    expect(data?.[0].unfurls).toBeUndefined();
  }
});
