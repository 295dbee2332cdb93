/*
 * A developer registers addresses that one reader takes for another than the next one does: with line breaks, tabs,
 * backslashes, user names or raw letters of other scripts. They hope for a header of their own in our answer, for a
 * code that goes to another host, or for a server that fails when a person opens the application. They also register an
 * address that already has an `iss`, before ours, so that a client takes theirs. Such addresses are refused when they
 * are registered, and the one form in which an address is kept is what is compared.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeForm, install, makeTeam, openForCode, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';

const { server, host, owner } = scene({ people: ['Owner'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(owner);
});

const registerWith = (fields: object) =>
  owner.client.post('/v1/applications', {
    name: 'Tracker',
    base_url: host.url,
    preinstall_url: `${host.url}/install`,
    redirect_uris: [`${host.url}/redirect`],
    ...fields,
  });
const exchange = (form: Record<string, string>) =>
  server.anonymous().ask('POST', '/v1/oauth2/token', { form });

describe('registering (claim: addresses-are-plain)', () => {
  it.each(['iss', 'platform_team_id', '%69ss', 'platform%5Fteam_id'])(
    'refuses the parameter %s, which opening adds itself',
    async (name) => {
      const own = `${host.url}/login?tenant=1&${name}=https%3A%2F%2Fevil.example`;
      const refused = async (fields: object) => (await registerWith(fields)).body.errors;
      expect(await refused({ initiate_login_uri: own })).toMatchObject([
        { code: 4002, reason: 'initiate_login_uri' },
      ]);
      expect(await refused({ redirect_uris: [own] })).toMatchObject([
        { code: 4002, reason: 'redirect_uris.0' },
      ]);
      const { data } = await registerWith({ initiate_login_uri: `${host.url}/login?tenant=1` });
      const change = await owner.client.patch(`/v1/applications/${data[0].id}`, { initiate_login_uri: own });
      expect(change.body.errors[0]).toMatchObject({ code: 4002, reason: 'initiate_login_uri' });
    },
  );

  it.each([
    'https://a.example/?',
    'https://a.example/#x',
    'https://ada@a.example/',
    'https://a.example/a%2Fb',
    'https://a.example\\tasks',
    'https://bücher.example/',
    'http://a.example/',
    'https://10.0.0.1/',
    'javascript:alert(1)',
    'https://*.example/%',
    'a.example',
  ])('refuses %j as the beginning of links', async (prefix) => {
    const link_prefixes = ['https://a.example/', prefix];
    const refused = [{ code: 4002, reason: 'link_prefixes.1' }];
    expect((await registerWith({ link_prefixes })).body.errors).toMatchObject(refused);
    const { data } = await registerWith({});
    const change = await owner.client.patch(`/v1/applications/${data[0].id}`, { link_prefixes });
    expect(change.body.errors).toMatchObject(refused);
  });

  it('refuses beginnings of links that are too many, too long, or none', async () => {
    const many = Array.from({ length: 11 }, (_, n) => `https://a.example/${n}`);
    for (const link_prefixes of [many, [`https://a.example/${'x'.repeat(500)}`], [''], [1], {}, null, 'x'])
      expect((await registerWith({ link_prefixes })).code).toBe(4002);
    expect((await registerWith({ link_prefixes: many.slice(1) })).status).toBe(200);
  });

  it.each([
    'https://a.example/cb\r\nX: y',
    'https://a.example/cb\t',
    ' https://a.example/cb',
    'https://a.example/a b',
    'https://a.example\\@evil.example/cb',
    'https://a.example/a\\b',
    'https://user@a.example/cb',
    'https://a.example/cb#here',
    'https://a.example/漢',
    'https://exämple.org/cb',
    'https://a.example/ö',
    'https://a.example/%',
    'https://a.example/\u0000',
    'https://a.example/a"b',
  ])('refuses %j, wherever it stands', async (address) => {
    const one = await registerWith({ redirect_uris: [`${host.url}/redirect`, address] });
    expect([one.code, one.body.errors[0].reason]).toEqual([4002, 'redirect_uris.1']);
    for (const field of [
      'base_url',
      'preinstall_url',
      'uninstall_url',
      'team_update_url',
      'initiate_login_uri',
    ])
      expect((await registerWith({ [field]: address })).body.errors[0]).toMatchObject({
        code: 4002,
        reason: field,
      });
  });

  it('tells the form that is taken', async () => {
    const { body } = await registerWith({ redirect_uris: ['https://exämple.org/ö?q=漢 b'] });
    const encoded = 'https://xn--exmple-cua.org/%C3%B6?q=%E6%BC%A2%20b';
    expect(body.errors[0].message).toBe(`Write the address percent-encoded: ${encoded}`);
    expect((await registerWith({ redirect_uris: [encoded] })).data[0].redirect_uris).toEqual([encoded]);
  });

  it('keeps one form of an address', async () => {
    const { data } = await registerWith({
      base_url: 'HTTPS://A.example:443',
      redirect_uris: ['https://a.example', 'https://A.example/x/../cb?q=%20'],
    });
    expect(data[0].base_url).toBe('https://a.example/');
    expect(data[0].redirect_uris).toEqual(['https://a.example/', 'https://a.example/cb?q=%20']);
  });
});

it('a client may go on sending the address as it registered it', async () => {
  const made = await register(owner, host, { redirect_uris: [host.url] });
  await install(owner, team, made);
  for (const spelling of [host.url, `${host.url}/`, encodeURIComponent(host.url)]) {
    const code = await openForCode(owner, team, made);
    const answer = await exchange({ ...exchangeForm(made, code), redirect_uri: spelling });
    expect([spelling, answer.status]).toEqual([spelling, 200]);
  }
  for (const other of [`${host.url}/x`, `${host.url}?`, `${host.url}.evil.example`, '']) {
    const code = await openForCode(owner, team, made);
    expect((await exchange({ ...exchangeForm(made, code), redirect_uri: other })).status).toBe(400);
  }
});

it.each(['/漢', '/a\r\nX-Evil: 1', '\\@evil.example'])(
  'an address %j from before that was checked opens nothing, with a clear error',
  async (path) => {
    const made = await register(owner, host);
    await install(owner, team, made);
    await runSql(server.running.db, 'UPDATE applications SET redirect_uris_json = ? WHERE id = ?', [
      JSON.stringify([host.url + path]),
      made.id,
    ]);
    const opened = await owner.client.post(`/v1/applications/${made.id}/opening`, { team, scopes: [] });
    expect([opened.code, opened.body.errors[0].reason]).toEqual([4090, 'wrong_address']);
    expect((await owner.client.get(`/v1/applications/${made.id}/opening?team=${team}`)).status).toBe(200);
  },
);

it('a code for an address that was removed meanwhile is not exchanged', async () => {
  const made = await register(owner, host);
  await install(owner, team, made);
  const code = await openForCode(owner, team, made);
  await owner.client.patch(`/v1/applications/${made.id}`, { redirect_uris: [`${host.url}/new`] });
  const answer = await exchange(exchangeForm(made, code));
  expect([answer.status, answer.text]).toEqual([400, '{"error":"invalid_grant"}']);
  const fresh = await openForCode(owner, team, made);
  expect((await exchange({ ...exchangeForm(made, fresh), redirect_uri: `${host.url}/new` })).status).toBe(
    200,
  );
});
