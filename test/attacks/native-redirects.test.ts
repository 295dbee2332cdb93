/*
 * A program on a person's own machine gets its answer on a port of loopback, or by a scheme of its own. Somebody uses
 * that exception to have a code sent elsewhere: to another path, to a host that looks like loopback or is spelled
 * otherwise, past a user name, to Parley itself, or to a scheme that a browser runs. Another puts the parameters of an
 * answer into a redirect address, so that a client reads theirs and not ours.
 */
import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const LOOPBACK = ['http://127.0.0.1/callback', 'http://[::1]/callback', 'http://localhost:4000/callback?a=b'];
const PRIVATE = ['com.example.app:/callback', 'com.example.app://callback?x=1', 'org.example-1.a:/'];

const strict = scene({ people: ['Owner'], environment: { ALLOW_LOOPBACK_APPS: 'no' } });
const { server, host, owner } = scene({ people: ['Owner'] });
let team: string;
let application: RegisteredApplication;

beforeAll(async () => {
  team = await makeTeam(owner);
  application = await register(owner, host, { redirect_uris: [...LOOPBACK, ...PRIVATE] });
  await install(owner, team, application);
});

const registerWith = (redirect_uris: string[], at = strict, fields: object = {}) =>
  at.owner.client.post('/v1/applications', {
    name: 'Editor',
    base_url: 'https://editor.example',
    preinstall_url: 'https://editor.example/install',
    redirect_uris,
    ...fields,
  });

const asked = (redirect_uri: string, of = application) => ({
  response_type: 'code',
  client_id: of.id,
  redirect_uri,
  state: 'mine',
  code_challenge: hash('sha256', VERIFIER, 'base64url'),
  code_challenge_method: 'S256',
});
const show = (redirect_uri: string, of = application) =>
  owner.client.get(`/v1/oauth2/consent?${new URLSearchParams(asked(redirect_uri, of))}`);
const allow = async (redirect_uri: string, of = application): Promise<string> => {
  const body = { ...asked(redirect_uri, of), team, decision: 'allow' };
  return (await owner.client.post('/v1/oauth2/consent', body)).data[0].url;
};
const exchange = (url: string, redirect_uri: string) =>
  application.credentials.ask('POST', '/v1/oauth2/token', {
    form: {
      grant_type: 'authorization_code',
      code: new URL(url).searchParams.get('code') ?? '',
      redirect_uri,
      code_verifier: VERIFIER,
    },
  });

describe('registering', () => {
  it('takes addresses of programs on any server, and only as those', async () => {
    const made = await registerWith([...LOOPBACK, ...PRIVATE]);
    expect(made.data[0].redirect_uris).toEqual([...LOOPBACK, ...PRIVATE]);
    for (const field of [
      'base_url',
      'preinstall_url',
      'uninstall_url',
      'team_update_url',
      'initiate_login_uri',
    ])
      for (const address of ['http://127.0.0.1:4000/', 'com.example.app:/callback']) {
        const { body } = await registerWith(LOOPBACK, strict, { [field]: address });
        expect(body.errors).toMatchObject([{ code: 4002, reason: field }]);
      }
  });

  it.each([
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'http://localhost@evil.example/',
    'http://evil@127.0.0.1/',
    'http://127.0.0.1/#x',
    'http://127.1/',
    'http://127.0.0.2/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0.0.0.0/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://localhost.evil.example/',
    'http://app.localhost/',
    'http://localhost./',
    'http:\\\\127.0.0.1/',
    'http:127.0.0.1/',
    'http://127。0。0。1/',
    'http://127.0.0.1:99999/',
    'http://127.0.0.1/\n',
    'https://127.0.0.1/',
    'https://localhost/',
    'javascript:alert(1)',
    'javascript:/alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'blob:https://editor.example/x',
    'about:blank',
    'ws://127.0.0.1/',
    'ftp://127.0.0.1/',
    'intent://x/#Intent;end',
    'myapp:/callback',
    'myapp://callback',
    'com.example.app:callback',
    'com.example.app:',
    'com.example.app:/#x',
    'com.example.app://user@callback',
    'com.example.app://user:word@callback',
    'com.example.app://@callback',
    'com.example.app:/a b',
    'com.example.app:/\\x',
    'com..app:/x',
    '.example.app:/x',
    'com.example.:/x',
    '1com.example:/x',
    'javascript.:/alert(1)',
    'com.exämple:/x',
    'https.a:/x',
    'HTTP.a:/x',
    'javascript.x:/alert(1)',
    'data.x:/x',
    'file.x:/x',
    'vbscript.x:/x',
    'blob.x:/x',
    'about.x:/x',
    'ws.x:/x',
    'wss.x:/x',
    'ftp.x:/x',
    ' com.example.app:/x',
  ])('refuses %j (claim: redirects-of-programs)', async (address) => {
    const { body } = await registerWith([address]);
    expect(body.errors).toMatchObject([{ code: 4002, reason: 'redirect_uris.0' }]);
  });

  it('of 127.0.0.1 takes no other spelling even where sites may be on loopback', async () => {
    for (const address of ['http://127.1:4000/', 'http://2130706433/', 'http://[0:0:0:0:0:0:0:1]/'])
      expect((await registerWith([address], { ...strict, owner })).code).toBe(4002);
  });

  it.each(['state', 'error', 'code', 'iss', 'error_description', 'error_uri', 'session_state', '%73tate'])(
    'refuses the parameter %s of an answer',
    async (name) => {
      for (const start of ['https://editor.example/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb']) {
        const { body } = await registerWith([`${start}?x=1&${name}=theirs`]);
        expect(body.errors).toMatchObject([{ code: 4002, reason: 'redirect_uris.0' }]);
      }
    },
  );
});

describe('a request', () => {
  it.each(['http://127.0.0.1', 'http://[::1]', 'http://localhost'])(
    'may name any port of %s, and the answer goes there',
    async (start) => {
      const rest = start === 'http://localhost' ? '/callback?a=b' : '/callback';
      for (const port of ['', ':1', ':53219', ':65535']) {
        const uri = `${start}${port}${rest}`;
        expect((await show(uri)).data[0]).toMatchObject({ redirect_host: new URL(uri).host, native: true });
        const url = await allow(uri);
        expect(url.startsWith(`${uri}${rest.includes('?') ? '&' : '?'}code=`)).toBe(true);
        expect((await exchange(url, uri)).status).toBe(200);
      }
    },
  );

  it.each([
    'http://127.0.0.1:53219/other',
    'http://127.0.0.1:53219/callback/',
    'http://127.0.0.1:53219/callback?x',
    'http://127.0.0.1:53219/Callback',
    'http://127.0.0.1:53219',
    'http://127.0.0.1:53219/callback#x',
    'http://127.0.0.1:53219/x/../callback',
    'http://127.0.0.1:53219/%63allback',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:080/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:80:80/callback',
    'http://127.0.0.1:53219@evil.example/callback',
    'http://127.0.0.1@evil.example/callback',
    'http://x@127.0.0.1:53219/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1.:53219/callback',
    'http://127.1:53219/callback',
    'http://127.0.0.2:53219/callback',
    'http://2130706433:53219/callback',
    'http://0x7f.0.0.1:53219/callback',
    'http://[::ffff:127.0.0.1]:53219/callback',
    'http://[0:0:0:0:0:0:0:1]:53219/callback',
    'http://localhost:53219/callback',
    'http://127.0.0.1:53219/callback?a=b',
    'HTTP://127.0.0.1:53219/callback',
    'https://127.0.0.1:53219/callback',
    'http://127.0.0.1:53219\\@evil.example/callback',
    'http://127.0.0.1:53219/callback\r\nX: y',
    'com.example.app:/callback/more',
    'com.example.app:/callback?x',
    'com.example.app:callback',
    'com.example.app2:/callback',
    'COM.example.app:/callback',
  ])('is refused for %j (claim: redirects-of-programs)', async (uri) => {
    expect((await show(uri)).body.errors).toMatchObject([{ code: 4002, reason: 'redirect_uri' }]);
  });

  it('is refused for a port of Parley itself', async () => {
    const { port } = new URL(server.url);
    for (const start of [`http://127.0.0.1:${port}/callback`, `http://localhost:${port}/callback?a=b`])
      expect((await show(start)).code).toBe(4002);
  });

  it('leaves a port that is not of loopback alone', async () => {
    const made = await register(owner, host, { redirect_uris: ['https://editor.example/cb'] });
    expect((await show('https://editor.example/cb', made)).status).toBe(200);
    expect((await show('https://editor.example:444/cb', made)).code).toBe(4002);
  });

  it('is exchanged with its own port alone', async () => {
    const url = await allow('http://127.0.0.1:53219/callback');
    for (const other of ['http://127.0.0.1:53220/callback', 'http://127.0.0.1/callback'])
      expect((await exchange(url, other)).body).toEqual({ error: 'invalid_grant' });
    expect((await exchange(url, 'http://127.0.0.1:53219/callback')).status).toBe(200);
  });

  it('gets its answer by a scheme of its own', async () => {
    for (const uri of PRIVATE) {
      const [scheme] = uri.split(':');
      expect((await show(uri)).data[0]).toMatchObject({ redirect_host: scheme, native: true });
      const url = await allow(uri);
      expect(url.startsWith(`${uri}${uri.includes('?') ? '&' : '?'}code=`)).toBe(true);
      expect((await exchange(url, uri)).status).toBe(200);
    }
  });
});

describe('an address from before its parameters were checked', () => {
  const old = 'https://editor.example/cb?state=theirs&keep=1&i%73s=https%3A%2F%2Fevil.example';

  it('gets each parameter of an answer once, as ours', async () => {
    const made = await register(owner, host);
    await install(owner, team, made);
    await runSql(server.running.db, 'UPDATE applications SET redirect_uris_json = ? WHERE id = ?', [
      JSON.stringify([old]),
      made.id,
    ]);
    const { searchParams } = new URL(await allow(old, made));
    expect(searchParams.getAll('state')).toEqual(['mine']);
    expect(searchParams.getAll('iss')).toEqual([server.running.url]);
    expect(searchParams.getAll('keep')).toEqual(['1']);
    const path = `/v1/applications/${made.id}`;
    expect((await owner.client.patch(path, { name: 'Other', redirect_uris: [old] })).status).toBe(200);
    expect((await owner.client.patch(path, { redirect_uris: [`${old}&x=1`] })).code).toBe(4002);
  });
});

describe('a program on a person’s own machine', () => {
  it('is not opened from a team', async () => {
    const native = await register(owner, host, { redirect_uris: ['com.example.app:/callback'] });
    await install(owner, team, native);
    const refused = [{ code: 4090, reason: 'not_opened_here' }];
    const path = `/v1/applications/${native.id}`;
    expect((await owner.client.get(`${path}/opening?team=${team}`)).body.errors).toMatchObject(refused);
    expect((await owner.client.get(`${path}/open?team=${team}`)).body.errors).toMatchObject(refused);
    const opened = await owner.client.post(`${path}/opening`, { team, scopes: [] });
    expect(opened.body.errors).toMatchObject(refused);
    expect((await owner.client.get(path)).data[0].openable).toBe(false);
  });

  it('on loopback is one where no sites may be there, and another address is opened in its place', async () => {
    const openable = async (uris: string[]) => (await registerWith(uris)).data[0].openable;
    expect(await openable(LOOPBACK)).toBe(false);
    expect(await openable([...LOOPBACK, 'https://editor.example/cb'])).toBe(true);
    const opened = await owner.client.get(`/v1/applications/${application.id}/opening?team=${team}`);
    expect(opened.data[0].redirect_host).toBe('127.0.0.1');
  });
});
