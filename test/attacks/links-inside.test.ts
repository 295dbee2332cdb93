/*
 * Mallory cannot make Ben's browser call the API from her own site, so she has our pages do it: she writes a link to
 * `/v1/applications/…/open`, or registers an application whose cards, objects or redirects lead there. Ben's click would
 * be a request of our own page with his session. Such links are shown as text (test/web/links-inside.browser.test.ts),
 * mails hold none, and no application gets an address of this server.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { ApplicationHost, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, mallory } = scene({ people: ['Mallory'] });
let application: RegisteredApplication;

beforeAll(async () => {
  application = await register(mallory, host);
  await makeTeam(mallory);
});

/** This server in other words. */
function spellings(): string[] {
  const { port } = new URL(server.running.url);
  return [
    server.running.url,
    `http://127.0.0.1:${port}/v1/users/me`,
    `http://LOCALHOST:${port}/teams`,
    `http://localhost.:${port}/`,
    `http://a.localhost:${port}/docs`,
    `http://[::1]:${port}/`,
    `http://127.1:${port}/x/../v1`,
    `https://localhost:${port}/%761/users/me`,
  ];
}

const FIELDS: [string, (address: string) => object][] = [
  ['base_url', (address) => ({ base_url: address })],
  ['preinstall_url', (address) => ({ preinstall_url: address })],
  ['uninstall_url', (address) => ({ uninstall_url: address })],
  ['team_update_url', (address) => ({ team_update_url: address })],
  ['initiate_login_uri', (address) => ({ initiate_login_uri: address })],
  ['redirect_uris.1', (address) => ({ redirect_uris: ['https://a.example/', address] })],
  ['link_prefixes.0', (address) => ({ link_prefixes: [address] })],
];

describe('claim: no-links-inside', () => {
  it.each(FIELDS)('an application gets no address of the server as its %s', async (field, of) => {
    for (const address of spellings()) {
      const path = `/v1/applications/${application.id}`;
      const changed = await mallory.client.patch(path, of(address));
      expect([address, changed.code, changed.body.errors[0].reason]).toEqual([address, 4002, field]);
      const fields = { name: 'X', base_url: host.url, preinstall_url: host.url, redirect_uris: [host.url] };
      const made = await mallory.client.post('/v1/applications', { ...fields, ...of(address) });
      expect([address, made.code, made.body.errors[0].reason]).toEqual([address, 4002, field]);
    }
  });

  it('an application hears of no events at an address of the server', async () => {
    for (const url of spellings()) {
      const answer = await mallory.client.post(`/v1/applications/${application.id}/subscriptions`, {
        kinds: ['team.changed'],
        webhook: { url },
      });
      expect([url, answer.code]).toEqual([url, 4002]);
    }
  });

  it('another program on the same machine is another server', async () => {
    const other = await new ApplicationHost().start();
    const changed = await mallory.client.patch(`/v1/applications/${application.id}`, { base_url: other.url });
    expect(changed.status).toBe(200);
    await other.stop();
  });
});
