/**
 * The attacker leads a signed-in administrator's browser, by a link or a hidden frame on another site, to an address that makes a
 * backup or an export: work for the server, an entry in the audit log, and an archive of everything on a disk where
 * nobody wants it. A browser says where such a navigation comes from, and only our own pages and typed addresses pass.
 */
import { afterEach, expect, it } from 'vitest';
import { signUp } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
afterEach(() => server.stop());

it.each(['/v1/admin/backup', '/v1/users/me/export'])(
  '%s is not made for a link of another site',
  async (path) => {
    server = await startTestServer();
    const root = await signUp(server, 'Root');
    const follow = async (site: string) => {
      const headers = { Cookie: root.client.cookie, 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate' };
      const answer = await fetch(server.url + path, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect([await follow('cross-site'), await follow('same-site')]).toEqual([403, 403]);
    const { data } = await root.client.get('/v1/admin/audit?limit=200');
    expect(data.map(({ action }) => action)).not.toContain('backup.downloaded');
    expect([await follow('same-origin'), await follow('none')]).toEqual([200, 200]);
  },
);
