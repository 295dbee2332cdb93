import { expect, it } from 'vitest';
import { allPlaced, pathOf, pullAll, subscribe } from '../support/feed.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';
import { install, makeTeam, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, ada } = scene({ people: ['Ada'] });

const PAGE = 200;

it('a page of events takes no longer where they are long, and those before were not', async () => {
  const team = await makeTeam(ada);
  const application = await register(ada, host, { scopes: ['messages:read'] });
  await install(ada, team, application);
  const { id } = await subscribe(application, { kinds: ['mention', 'message.posted'] });
  const webhook = (await ada.client.post(`/v1/teams/${team}/webhooks`, { name: 'Long' })).data[0];
  const post = async (body: object) => {
    const { status, text } = await server.anonymous().post(new URL(webhook.url).pathname, body);
    expect([status, text]).toEqual([200, text]);
  };
  const section = { type: 'section', text: { type: 'mrkdwn', text: 'Words and *signs*. '.repeat(150) } };
  for (let posted = 0; posted < PAGE; posted++)
    await post(posted < PAGE / 4 ? { text: 'Short' } : { blocks: Array.from({ length: 20 }, () => section) });
  await allPlaced(server);

  const path = pathOf(application, id);
  const { times } = await growth((share) =>
    application.credentials.get(`${path}/events?limit=${PAGE * share}`),
  );
  expect(times).toBeLessThan(MOST_GROWTH);
  expect((await pullAll(application.credentials, path, `limit=${PAGE}`)).events).toHaveLength(PAGE);
});
