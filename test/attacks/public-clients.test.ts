/*
 * A public application proves nothing: whoever knows its id can ask in its name. Somebody who sees a code on its way, or
 * has an old refresh token, wants tokens for it; somebody with the id of an application that has a secret asks without
 * one; and a public application tries to get what only a secret may open. A request without a verifier is good for
 * nothing, a refresh token that is used twice ends them all, and what needs a secret is closed.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  allowPublic,
  askForToken,
  codeForm,
  newVerifier,
  type PublicClient,
  registerPublic,
  requestOf,
  signInTo,
} from '../support/native.ts';
import { exchangeForm, install, makeTeam, openForCode, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';

const { server, host, owner, victim } = scene({ people: ['Owner', 'Victim'] });
let team: string;
let editor: PublicClient;
let other: PublicClient;

beforeAll(async () => {
  team = await makeTeam(owner, [victim]);
  [editor, other] = [await registerPublic(owner), await registerPublic(owner, { name: 'Other' })];
  for (const { id } of [editor, other])
    await owner.client.post(`/v1/teams/${team}/applications`, { application: id });
});

const ask = async (form: Record<string, string>, headers?: Record<string, string>) => {
  const { status, body } = await askForToken(server.url, form, headers);
  return [status, body];
};
const works = async (token: string) =>
  (await server.anonymous().withToken(token).get('/v1/users/me')).status === 200;
const GRANT = [400, { error: 'invalid_grant' }];
const CLIENT = [401, { error: 'invalid_client' }];

describe('a code that somebody saw', () => {
  it('is no good without its verifier (claim: public-needs-verifier)', async () => {
    const verifier = newVerifier();
    const code = await allowPublic(victim, team, editor, verifier);
    const { code_verifier, ...without } = codeForm(editor, code, verifier);
    expect(await ask(without)).toEqual(GRANT);
    for (const wrong of [newVerifier(), '', requestOf(editor, verifier).code_challenge, `${verifier} `])
      expect(await ask(codeForm(editor, code, wrong))).toEqual(GRANT);
    expect(await ask(codeForm(other, code, verifier))).toEqual(GRANT);
    expect(
      await ask({
        ...codeForm(editor, code, verifier),
        redirect_uri: other.redirectUri.replace('3219', '3220'),
      }),
    ).toEqual(GRANT);
    expect((await ask(codeForm(editor, code, verifier)))[0]).toBe(200);
  });

  it('ends the tokens when it is used twice', async () => {
    const verifier = newVerifier();
    const code = await allowPublic(victim, team, editor, verifier);
    const { body } = await askForToken(server.url, codeForm(editor, code, verifier));
    expect(await ask(codeForm(editor, code, verifier))).toEqual(GRANT);
    expect(await works(body.access_token)).toBe(false);
  });

  it('from before the application was public is no good without a challenge', async () => {
    const made = await register(owner, host);
    await install(owner, team, made);
    const code = await openForCode(victim, team, made);
    // As where a server opened it in the moment of the change.
    const { db } = server.running;
    await runSql(db, "UPDATE applications SET token_endpoint_auth_method = 'none' WHERE id = ?", [made.id]);
    const { client_secret, ...form } = exchangeForm(made, code);
    expect(await ask(form)).toEqual(GRANT);
  });
});

describe('a request for a code', () => {
  const refused = async (changed: Record<string, string>) => {
    const query = new URLSearchParams(requestOf(editor, newVerifier(), changed));
    const { body } = await victim.client.get(`/v1/oauth2/consent?${query}`);
    return body.errors?.[0]?.reason;
  };

  it('needs a challenge by S256', async () => {
    expect(await refused({ code_challenge: '' })).toBe('code_challenge');
    expect(await refused({ code_challenge: '', code_challenge_method: '' })).toBe('code_challenge');
    for (const method of ['plain', '', 's256'])
      expect(await refused({ code_challenge_method: method })).toBe('code_challenge_method');
  });

  it('needs one whatever its row says', async () => {
    const { db } = server.running;
    await runSql(db, 'UPDATE applications SET require_pkce = 0 WHERE id = ?', [editor.id]);
    expect(await refused({ code_challenge: '', code_challenge_method: '' })).toBe('code_challenge');
    await runSql(db, 'UPDATE applications SET require_pkce = 1 WHERE id = ?', [editor.id]);
  });

  it('is never answered without the page, and not begun by a launcher (claim: public-asks-each-time)', async () => {
    await signInTo(editor, victim, team);
    const path = `/v1/applications/${editor.id}`;
    for (const answer of [
      await victim.client.get(`${path}/open?team=${team}`),
      await victim.client.post(`${path}/opening`, { team, scopes: [] }),
    ])
      expect(answer.body.errors).toMatchObject([{ code: 4090, reason: 'not_opened_here' }]);
  });
});

describe('a refresh token', () => {
  const refresh = (of: PublicClient, refresh_token: string) =>
    askForToken(server.url, { grant_type: 'refresh_token', client_id: of.id, refresh_token });

  it('that was replaced ends all when it is used again (claim: public-refresh-rotates)', async () => {
    const first = await signInTo(editor, victim, team);
    const second = (await refresh(editor, first.refresh_token)).body;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    server.clock.advance(11);
    expect((await refresh(editor, first.refresh_token)).body).toEqual({ error: 'invalid_grant' });
    expect((await refresh(editor, second.refresh_token)).body).toEqual({ error: 'invalid_grant' });
    expect(await works(second.access_token)).toBe(false);
  });

  it('is that of its application alone, and so is ending it', async () => {
    const { access_token, refresh_token } = await signInTo(editor, victim, team);
    expect((await refresh(other, refresh_token)).body).toEqual({ error: 'invalid_grant' });
    for (const token of [access_token, refresh_token]) {
      const form = { client_id: other.id, token };
      expect((await server.anonymous().ask('POST', '/v1/oauth2/revoke', { form })).status).toBe(200);
    }
    expect(await works(access_token)).toBe(true);
    expect((await refresh(editor, refresh_token)).status).toBe(200);
  });
});

describe('a client', () => {
  it('with a secret cannot pretend that it has none (claim: no-secret-no-token)', async () => {
    const made = await register(owner, host);
    await install(owner, team, made);
    const code = await openForCode(victim, team, made);
    const { client_secret, ...form } = exchangeForm(made, code);
    const Authorization = `Basic ${Buffer.from(`${made.id}:`).toString('base64')}`;
    expect(await ask(form)).toEqual(CLIENT);
    expect(await ask({ ...form, client_secret: '' })).toEqual(CLIENT);
    expect(await ask({ ...form, token_endpoint_auth_method: 'none' })).toEqual(CLIENT);
    expect(await ask(form, { Authorization })).toEqual(CLIENT);
    for (const route of ['revoke', 'introspect']) {
      const without = { client_id: made.id, token: code };
      const answer = await server.anonymous().ask('POST', `/v1/oauth2/${route}`, { form: without });
      expect([answer.status, answer.body]).toEqual(CLIENT);
    }
    expect((await ask(exchangeForm(made, code)))[0]).toBe(200);
  });

  it('without a secret is refused with one, also with one that it had', async () => {
    const { refresh_token } = await signInTo(editor, victim, team);
    const form = { grant_type: 'refresh_token', client_id: editor.id, refresh_token };
    for (const client_secret of ['x', crypto.randomUUID()])
      expect(await ask({ ...form, client_secret })).toEqual(CLIENT);
    const Authorization = `Basic ${Buffer.from(`${editor.id}:x`).toString('base64')}`;
    expect(await ask(form, { Authorization })).toEqual(CLIENT);
    expect((await ask(form))[0]).toBe(200);
  });

  it('without a secret acts never as itself, and learns nothing of tokens (claim: public-never-itself)', async () => {
    const { access_token } = await signInTo(editor, victim, team);
    const own = { grant_type: 'client_credentials', client_id: editor.id, team };
    expect(await ask(own)).toEqual([400, { error: 'unauthorized_client' }]);
    const form = { client_id: editor.id, token: access_token };
    const looked = await server.anonymous().ask('POST', '/v1/oauth2/introspect', { form });
    expect([looked.status, looked.body]).toEqual(CLIENT);
  });

  it('without a secret opens no route of applications', async () => {
    for (const secret of ['', 'x', 'undefined', 'null']) {
      const named = server.anonymous().withCredentials(editor.id, secret);
      expect((await named.get('/v1/oauth2/test/app')).code).toBe(4010);
      expect((await named.get(`/v1/applications/${editor.id}/subscriptions`)).code).toBe(4010);
      const path = `/v1/applications/${editor.id}/objects`;
      const object = { name: 'One', team, type: 'task', url: '/1' };
      expect((await named.post(path, object)).code).toBe(4010);
      const query = new URLSearchParams({ client_id: editor.id, client_secret: secret });
      expect((await server.anonymous().post(`${path}?${query}`, object)).code).toBe(4010);
    }
  });

  it('that is unknown or suspended gets nothing', async () => {
    const { refresh_token } = await signInTo(editor, victim, team);
    const form = { grant_type: 'refresh_token', client_id: crypto.randomUUID(), refresh_token };
    expect(await ask(form)).toEqual(CLIENT);
    await owner.client.put(`/v1/admin/applications/${editor.id}/suspension`);
    expect(await ask({ ...form, client_id: editor.id })).toEqual([400, { error: 'unauthorized_client' }]);
    await owner.client.delete(`/v1/admin/applications/${editor.id}/suspension`);
  });
});
