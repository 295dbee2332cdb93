/**
 * The attacker takes a name that looks like another one, or that breaks out of its line: with characters that are not
 * seen, with marks that turn the direction of writing, with line breaks, or with fillers alone. Names are kept without
 * all of these, a name of nothing that can be seen is refused, and words that address everybody are no user names.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, person } = scene({ people: ['Person'] });
let team: string;
let application: RegisteredApplication;

beforeAll(async () => {
  team = await makeTeam(person);
  application = await register(person, host);
  await install(person, team, application);
});

const LOOKALIKES = ['Ad\u200bmin', 'Ad\u202emin', 'Admin\u3164', '\u2066Admin\u2069', ' Admin\r\n'];

/** Every field that takes a name. @returns the name as it is shown afterwards */
const places: Record<string, (name: string) => Promise<unknown>> = {
  'first name': async (name) =>
    shown(await person.client.patch('/v1/users/me', { first_name: name }), 'first_name'),
  'last name': async (name) =>
    shown(await person.client.patch('/v1/users/me', { last_name: name }), 'last_name'),
  title: async (name) => shown(await person.client.patch('/v1/users/me', { title: name }), 'title'),
  'name at sign-up': async (name) => {
    const fields = { email: `x${++people}@example.org`, password: 'a password of length', last_name: '' };
    return shown(await server.anonymous().post('/v1/users', { ...fields, first_name: name }), 'first_name');
  },
  'new team': async (name) => shown(await person.client.post('/v1/teams', { name }), 'name'),
  team: async (name) => shown(await person.client.patch(`/v1/teams/${team}`, { name }), 'name'),
  application: async (name) =>
    shown(await person.client.patch(`/v1/applications/${application.id}`, { name }), 'name'),
  object: async (name) => {
    const path = `/v1/applications/${application.id}/objects`;
    const made = await application.credentials.post(path, { name, team, type: 't', url: '/o' });
    if (made.status !== 200) return made.code;
    const objects = (await application.credentials.get(path)).data;
    return objects.find(({ id }) => id === made.data[0].id).name;
  },
};
let people = 0;

const shown = (
  { data, code }: { data: Record<string, unknown>[]; code: number | undefined },
  field: string,
) => code ?? data[0]?.[field];

describe.each(Object.entries(places))('claim: names-visible — %s', (place, name) => {
  it('is kept without what cannot be seen', async () => {
    for (const lookalike of LOOKALIKES) expect(await name(lookalike)).toBe('Admin');
    expect(await name('Ann\r\nBcc: evil@example.org')).toBe('Ann Bcc: evil@example.org');
  });

  it('keeps what words and pictures need', async () => {
    for (const kept of ['می\u200cخواهم', '👩🏽\u200d💻 Ann', 'ශ්\u200dරී']) expect(await name(kept)).toBe(kept);
  });

  const mayBeEmpty = ['last name', 'title'].includes(place);
  it.runIf(mayBeEmpty)('is empty when nothing of it can be seen', async () => {
    expect(await name('\u3164\u200b')).toBe('');
  });
  it.runIf(!mayBeEmpty)('is refused when nothing of it can be seen', async () => {
    expect(await name('\u3164\u200b')).toBe(4002);
  });
});

it.each(['everyone', 'all', 'Team', 'HERE', 'channel'])('%s is nobody’s user name', async (username) => {
  const answer = await person.client.patch('/v1/users/me', { username });
  expect([answer.code, answer.body.errors[0].reason]).toEqual([4002, 'username']);
  const fields = { password: 'a password of length', first_name: 'N', last_name: '' };
  const signedUp = await server
    .anonymous()
    .post('/v1/users', { ...fields, email: `${username}@example.org` });
  expect(signedUp.data[0].username).toMatch(new RegExp(`^${username}-[0-9a-f]{8}$`));
});
