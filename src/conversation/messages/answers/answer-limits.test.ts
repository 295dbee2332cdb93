import { expect, it } from 'vitest';
import { asking, pressHeard } from '../../../../test/support/clicks.ts';
import { makeTeam } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';

const { server, host, dev, ada, bob } = scene({
  people: ['Dev', 'Ada', 'Bob'],
  environment: { RATE_LIMIT: 'on', RATE_LIMIT_APPLICATION: '30' },
});

it('answers to clicks count as what an application does with its tokens (claim: response-address)', async () => {
  const team = await makeTeam(ada, [bob]);
  const of = await asking(server, { owner: dev, admin: ada, host, team });
  const asked = await of.post();
  const { path } = await pressHeard(bob, asked, of);
  const itself = await of.itself();
  server.clock.hold();
  server.clock.toNextMinute();
  const codes: unknown[] = [];
  for (let n = 0; n < 30; n++) codes.push((await server.anonymous().post(path, {})).code);
  expect(codes).toEqual([...Array(5).fill(undefined), ...Array(25).fill(4040)]);
  const refused = await server.anonymous().post(path, {});
  expect([refused.code, refused.body.errors[0].reason]).toEqual([4290, 'application']);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await itself.get(`/v1/messages/${asked}`)).code).toBe(4290);
});

it('the address of an application that is deleted does nothing, until the click is forgotten', async () => {
  const team = await makeTeam(ada, [bob]);
  const of = await asking(server, { owner: dev, admin: ada, host, team });
  const { path } = await pressHeard(bob, await of.post(), of);
  await dev.client.delete(`/v1/applications/${of.app.id}`);
  const refused = await server.anonymous().post(path, { reply: true, text: 'x' });
  expect([refused.code, refused.body.errors[0].reason]).toEqual([4030, 'app_not_installed']);
});
