import { beforeAll, describe, expect, it } from 'vitest';
import { join, makeTeam, signUp } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';

const { server, ada } = scene({ people: ['Ada'] });
const ids = new Map<string, string>();

beforeAll(async () => {
  const team = await makeTeam(ada);
  for (const [first_name, last_name, username] of [
    ['José', 'Müller', 'pepe.m'],
    ['Zoë Anne', 'Åström-Weiß', 'zoe1795'],
    ['山田', '太郎', 'yamada'],
    ['100%', 'Real_Person', 'percent'],
    ['Łukasz', 'Żółć-Ørsted', 'lz7'],
    ['Þorgerður', 'Æbelø', 'tho8'],
    ['Đorđe', 'Ångström', 'dj1'],
    ['Øyvind', 'Straße', 'oy1'],
    ['İpek', 'Işık', 'ip1'],
    ['مُحَمَّد', 'عليّ', 'mo1'],
  ] as const) {
    const person = await signUp(server, first_name, { last_name });
    expect((await person.client.patch('/v1/users/me', { username })).status).toBe(200);
    await join(ada, team, person);
    ids.set(first_name, person.id);
  }
});

async function found(query: string): Promise<string[]> {
  const path = `/v1/users/me/connections?query=${encodeURIComponent(query)}`;
  return (await ada.client.get(path)).data.map(({ first_name }) => first_name);
}

describe('connections are found by', () => {
  it.each([
    ['the beginning of a name without its accents', 'jose', 'José'],
    ['a last name without its accents', 'MULLER', 'José'],
    ['last name first', 'Müller José', 'José'],
    ['the beginnings of both, in any order', 'ast zo', 'Zoë Anne'],
    ['a second first name', 'anne', 'Zoë Anne'],
    ['the second part of a last name, with two letters for one', 'weiss', 'Zoë Anne'],
    ['the beginning of the user name', 'zoe17', 'Zoë Anne'],
    ['a part of the user name', 'pepe.m', 'José'],
    ['a name and the user name', 'muller pepe', 'José'],
    ['text anywhere in a name, as the contract has it', 'ülle', 'José'],
    ['text anywhere in the full name', 'sé mül', 'José'],
    ['characters inside a name without spaces', '郎', '山田'],
    ['a name with a stroke without it', 'lukasz', 'Łukasz'],
    ['a name with a stroke as it is', 'ŁUKASZ', 'Łukasz'],
    ['a last name with strokes and accents', 'zolc orst', 'Łukasz'],
    ['two letters for one', 'thor aeb', 'Þorgerður'],
    ['a letter with a stroke and one with a ring', 'dorde angstrom', 'Đorđe'],
    ['an o with a stroke, and two letters for one', 'oyvind strasse', 'Øyvind'],
    ['an i with a dot, and one without', 'ipek isik', 'İpek'],
    ['a name without its vowel points', 'محمد علي', 'مُحَمَّد'],
    ['signs that a pattern knows', '0%', '100%'],
    ['another such sign', 'real_p', '100%'],
  ])('%s', async (_, query, first_name) => {
    expect(await found(query)).toEqual([first_name]);
  });

  it.each(['jose absent', 'ose', 'uller', '%_', 'zoe muller'])('not by %s', async (query) => {
    expect(await found(query)).toEqual([]);
  });
});

it('people whose account is closed are left out where only open ones are asked for', async () => {
  const gone = await signUp(server, 'Gone');
  await join(ada, await makeTeam(ada), gone);
  const password = 'a password of length';
  expect((await gone.client.post('/v1/users/me/deactivation', { password })).status).toBe(200);
  expect(await found('gone')).toEqual(['Gone']);
  const open = async (active: boolean) => {
    const { data } = await ada.client.get(`/v1/users/me/connections?active=${active}&limit=200`);
    return data.map(({ first_name }) => first_name);
  };
  expect(await open(true)).toEqual(expect.arrayContaining([...ids.keys()]));
  expect(await open(true)).not.toContain('Gone');
  expect(await open(false)).toEqual(['Gone']);
});

it('administrators find accounts in the same way, and by address', async () => {
  const listed = async (query: string) =>
    (await ada.client.get(`/v1/admin/users?query=${encodeURIComponent(query)}`)).data.map(({ id }) => id);
  expect(await listed('muller jose')).toEqual([ids.get('José')]);
  expect(await listed(ada.email.slice(1))).toEqual([ada.id]);
});

it('a new name is found, and the old one no more', async () => {
  const cleo = await signUp(server, 'Cleo');
  await join(ada, await makeTeam(ada), cleo);
  expect(await found('test cleo')).toEqual(['Cleo']);
  await cleo.client.patch('/v1/users/me', { last_name: 'Nováková', username: 'cleo.n' });
  expect(await found('novakova cleo.n')).toEqual(['Cleo']);
  expect(await found('test cleo')).toEqual([]);
});

it('a name without strokes is found with them', async () => {
  const plain = await signUp(server, 'Bjorn', { last_name: 'Orsted' });
  await join(ada, await makeTeam(ada), plain);
  expect(await found('bjørn ørst')).toEqual(['Bjorn']);
});
