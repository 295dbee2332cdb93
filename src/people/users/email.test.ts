import { expect, it } from 'vitest';
import { makeTeam, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, root } = scene({ people: ['Root'], each: true });

const PASSWORD = 'a password of length';

it('an account has its address in both spellings of the domain, and of an accent', async () => {
  const ascii = await signUp(server, 'Jane', { email: 'jane@xn--bcher-kva.example' });
  const accents = await signUp(server, 'Jose', { email: 'jose\u0301@example.org' });
  const signIn = async (email: string) =>
    (await server.anonymous().post('/v1/sessions', { email, password: PASSWORD })).data[0]?.id;
  for (const email of ['jane@xn--bcher-kva.example', 'jane@bücher.example'])
    expect(await signIn(email)).toBe(ascii.id);
  expect(await signIn('jos\u00e9@example.org')).toBe(accents.id);
  const again = { password: PASSWORD, first_name: 'J', last_name: 'J' };
  const taken = await server.anonymous().post('/v1/users', { ...again, email: 'jane@bücher.example' });
  expect(taken.code).toBe(4090);
});

it('an invitation is for an address in both spellings of its domain', async () => {
  const team = await makeTeam(root);
  const { data } = await root.client.post(`/v1/teams/${team}/invitations`, {
    emails: ['jane@xn--bcher-kva.example'],
    membership_type: 1,
  });
  const jane = await signUp(server, 'Jane', {
    email: 'jane@bücher.example',
    invitation: data[0].token,
  });
  expect((await jane.client.get(`/v1/teams/${team}`)).status).toBe(200);
});

it('a message reaches an address in both spellings of its domain', async () => {
  const jane = await signUp(server, 'Jane', { email: 'jane@bücher.example' });
  await makeTeam(root, [jane]);
  for (const email of ['jane@xn--bcher-kva.example', 'JANE@Bücher.example']) {
    const body = { text: 'Hello', addressed_users: { ids: [], emails: [email] } };
    expect((await root.client.post('/v1/messages', body)).data[0].addressed_users).toEqual([jane.id]);
  }
});
