import { expect, it } from 'vitest';
import { mailsGo, mailsSettle } from '../../../../test/support/mailbox.ts';
import { makeTeam } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';

const { server, mailbox, ada, bob } = scene({ people: ['Ada', 'Bob'], mail: true });

const TEXT = '# **Log** of `@nobody`\n> done, ';

it('a plain message says so, is mailed as it was written, calls people, and keeps its format through edits', async () => {
  const team = await makeTeam(ada, [bob]);
  await mailsSettle(server);
  mailbox.clear();
  const { username } = (await bob.client.get('/v1/users/me')).data[0];
  const text = `${TEXT}@${username}`;
  const posted = await ada.client.post('/v1/messages', { text, format: 'plain', addressed_teams: [team] });
  expect([posted.status, posted.data[0].text, posted.data[0].format]).toEqual([200, text, 'plain']);
  await mailsGo(server);
  // In a quote, as formatting, the name would call nobody.
  expect(mailbox.of(bob.email)[0]?.text).toContain(`> # **Log** of \`@nobody\`\n> > done, @${username}`);

  const { id } = posted.data[0];
  const edit = (body: object) => ada.client.patch(`/v1/messages/${id}`, body);
  expect((await edit({ text: '**two**' })).data[0]).toMatchObject({ text: '**two**', format: 'plain' });
  const formatted = (await edit({ format: null })).data[0];
  expect([formatted.text, 'format' in formatted, formatted.events.length]).toEqual(['**two**', false, 2]);
  const { data: versions } = await bob.client.get(`/v1/messages/${id}/versions`);
  expect(versions).toMatchObject([
    { text: '**two**', format: 'plain' },
    { text, format: 'plain' },
  ]);
  await edit({ format: 'plain', text: '*three*' });
  const { data: again } = await bob.client.get(`/v1/messages/${id}/versions`);
  expect('format' in again[0]).toBe(false);
  const { data: listed } = await bob.client.get(`/v1/messages?team=${team}`);
  expect(listed[0]).toMatchObject({ text: '*three*', format: 'plain' });
  const { data: found } = await bob.client.get('/v1/messages?q=three');
  expect(found[0].format).toBe('plain');

  const reply = await bob.client.post(`/v1/messages/${id}/replies`, { text: '*x*', format: 'plain' });
  expect(reply.data[0].format).toBe('plain');
  await ada.client.delete(`/v1/messages/${id}`);
  expect('format' in (await ada.client.get(`/v1/messages/${id}`)).data[0]).toBe(false);
});

it('another format is refused, and an old client sees no new field', async () => {
  const team = await makeTeam(ada, []);
  for (const format of ['html', 7, {}, '']) {
    const body = { text: 'x', format, addressed_teams: [team] };
    expect(await ada.client.post('/v1/messages', body)).toMatchObject({ status: 400 });
  }
  for (const format of [null, undefined]) {
    const { data } = await ada.client.post('/v1/messages', { text: 'x', format, addressed_teams: [team] });
    expect('format' in data[0]).toBe(false);
  }
});
