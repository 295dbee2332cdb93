/*
 * Two people share a browser. A window of the first is still open when the second signs in: its requests now carry the
 * cookie of the second. What the first wrote must not appear in the name of the second.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let ada: Person;
let ben: Person;
let team: string;

beforeEach(async () => {
  server = await startTestServer();
  ada = await signUp(server, 'Ada');
  ben = await signUp(server, 'Ben');
  team = await makeTeam(ada, [ben]);
});
afterEach(() => server?.stop());

it('a request that names its user is refused in the session of another', async () => {
  const post = (user: string) =>
    ben.client.ask('POST', '/v1/messages', {
      json: { text: 'Not by Ben', addressed_teams: [team] },
      headers: { 'Parley-User': user, 'Idempotency-Key': 'one' },
    });
  for (const other of [ada.id, '', 'nobody']) {
    const refused = await post(other);
    expect([refused.status, refused.code]).toEqual([401, 4010]);
  }
  expect((await ada.client.get(`/v1/messages?team=${team}`)).data).toEqual([]);
  expect((await post(ben.id)).status).toBe(200);
});
