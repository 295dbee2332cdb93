/*
 * An admin installs an application of somebody else on a team of their own, and looks at the calls to it: the address may
 * have a key in its query, and the answer tells of the developer's machine. They learn that a call was made and how it
 * went. The owner sees all.
 */
import { expect, it } from 'vitest';
import { subscribe } from '../support/feed.ts';
import { install, makeTeam, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { host, dev, eve, bob } = scene({ people: ['Dev', 'Eve', 'Bob'], options: { workerIntervalMs: 20 } });
const KEY = 'key-of-the-developer';

it.each([200, 500])(
  'a call that is answered with %i shows its host and status (claim: calls-seen-in-part)',
  async (status) => {
    host.status = 200;
    const url = (name: string) => `${host.url}/${name}-${KEY}?key=${KEY}`;
    const app = await register(dev, host, {
      preinstall_url: url('install'),
      uninstall_url: url('uninstall'),
      team_update_url: url('update'),
      scopes: ['messages:read'],
    });
    const team = await makeTeam(eve);
    host.headers = { 'x-machine': KEY };
    await install(eve, team, app);
    await subscribe(app, { teams: [team], webhook: { url: url('events') } });
    host.status = status;
    await eve.client.post('/v1/messages', { text: 'one', addressed_teams: [team] });
    const [invited] = (
      await eve.client.post(`/v1/teams/${team}/invitations`, { emails: [bob.email], membership_type: 2 })
    ).data;
    await bob.client.put(`/v1/invitations/${invited.token}`);
    const path = `/v1/applications/${app.id}/deliveries`;
    const kindsSeen = async () => {
      const { data } = await eve.client.get(`${path}?team=${team}`);
      return data.filter(({ num_attempts }) => num_attempts > 0).map(({ kind }) => kind);
    };
    await expect.poll(kindsSeen).toEqual(expect.arrayContaining(['install', 'events', 'team_update']));
    await eve.client.delete(`/v1/teams/${team}/applications/${app.id}`);
    await expect.poll(kindsSeen).toContain('uninstall');
    const listed = await eve.client.get(`${path}?team=${team}`);
    expect(listed.text).not.toContain(KEY);
    for (const { id } of listed.data) {
      const seen = await eve.client.get(`${path}/${id}`);
      expect(seen.text).not.toContain(KEY);
      expect(seen.data[0].redacted).toBe(true);
      for (const { request, response } of seen.data[0].attempts) {
        expect(request).toEqual({ method: 'POST', url: `${host.url}/…`, headers: {}, body: '' });
        expect(response).toMatchObject({ headers: {}, body: '' });
      }
      const [own] = (await dev.client.get(`${path}/${id}`)).data;
      expect(own.redacted).toBeUndefined();
      expect(own.attempts[0].request.url).toContain(`?key=${KEY}`);
      if (own.kind !== 'events') expect(own.attempts[0].response.headers['x-machine']).toBe(KEY);
      expect(own.attempts[0].request.body).not.toBe('');
    }
  },
);
