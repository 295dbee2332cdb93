// An application holds `messages:write` and `direct:write`, and no scope to read. Its owner edits what it posted and
// hopes that the answer tells what it may not read: the sidebars that stand beside the message by now, and who is in
// them. A token that may not read gets no message for an edit, as for a high five.
import { expect, it } from 'vitest';
import { authorize, install, makeTeam, register, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host } = scene();

it.each([
  [['messages:write', 'direct:write'], false],
  [['messages:read', 'messages:write', 'direct:read', 'direct:write'], true],
])('with %j an edit answers the message: %s (claim: token-reaches-its-team)', async (scopes, isShown) => {
  const [ann, bob] = [await signUp(server, 'Ann'), await signUp(server, 'Bob')];
  const team = await makeTeam(ann, [bob]);
  const application = await register(ann, host, { scopes });
  await install(ann, team, application);
  const token = server.anonymous().withToken((await authorize(ann, team, application)).access_token);
  const posted = await token.post('/v1/messages', { text: 'A report', addressed_teams: [team] });
  const path = `/v1/messages/${posted.data[0].id}`;
  const aside = await ann.client.post(`${path}/sidebars`, { users: [bob.id], text: 'between us' });
  const edited = await token.patch(path, { text: 'A better report' });
  expect(edited.status).toBe(200);
  expect(edited.text.includes(aside.data[0].id)).toBe(isShown);
  expect(edited.data.length).toBe(isShown ? 1 : 0);
  expect((await ann.client.get(path)).data[0].text).toBe('A better report');
});
