import { beforeEach, describe, expect, it } from 'vitest';
import {
  authorize,
  exchangeForm,
  install,
  makeTeam,
  openForCode,
  type RegisteredApplication,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';

const { server, host, owner } = scene({ people: ['Owner'] });
let team: string;
let application: RegisteredApplication;

beforeEach(async () => {
  host.status = 200;
  team = await makeTeam(owner);
  application = await register(owner, host);
});

const path = () => `/v1/applications/${application.id}`;

/** When each step was done, in seconds. */
async function progress(): Promise<Record<string, number | null>> {
  const { data } = await owner.client.get(`${path()}/progress`);
  const steps = data[0].steps as { step: string; done_at: number | null }[];
  return Object.fromEntries(steps.map(({ step, done_at }) => [step, done_at]));
}

const done = async () =>
  Object.entries(await progress())
    .filter(([, at]) => at !== null)
    .map(([step]) => step);

describe('the progress of an application', () => {
  it('shows each step after it has happened', async () => {
    expect(Object.keys(await progress())).toEqual([
      'registered',
      'callback_answered',
      'installed',
      'code_exchanged',
      'token_used',
      'object_made',
      'message_posted',
    ]);
    expect(await done()).toEqual(['registered']);
    await install(owner, team, application);
    expect(await done()).toEqual(['registered', 'callback_answered', 'installed']);
    const code = await openForCode(owner, team, application);
    const tokens = await server
      .anonymous()
      .ask('POST', '/v1/oauth2/token', { form: exchangeForm(application, code) });
    expect(await done()).not.toContain('token_used');
    const token = server.anonymous().withToken(tokens.body.access_token);
    await token.get('/v1/oauth2/test/app_as_user');
    expect(await done()).toEqual([
      'registered',
      'callback_answered',
      'installed',
      'code_exchanged',
      'token_used',
    ]);
    const object = { name: 'O', team, type: 't', url: '/o' };
    await application.credentials.post(`${path()}/objects`, object);
    await token.post('/v1/messages', { text: 'hello', addressed_teams: [team] });
    expect(await done()).toHaveLength(7);
  });

  it('keeps the first time', async () => {
    await install(owner, team, application);
    const { access_token } = await authorize(owner, team, application);
    const token = server.anonymous().withToken(access_token);
    const post = () => token.post('/v1/messages', { text: 'hello', addressed_teams: [team] });
    const before = server.clock.now() / 1000;
    await post();
    const first = await progress();
    expect(first.message_posted).toBeGreaterThanOrEqual(before);
    expect(first.message_posted).toBeLessThanOrEqual(server.clock.now() / 1000);
    server.clock.advance(100);
    await post();
    await authorize(owner, team, application);
    await owner.client.post(`${path()}/test_callback`);
    expect(await progress()).toEqual(first);
  });

  it('counts a test callback that was answered, and none that failed', async () => {
    host.status = 500;
    await owner.client.post(`${path()}/test_callback`);
    const refused = await owner.client.post(`/v1/teams/${team}/applications`, {
      application: application.id,
    });
    expect(refused.code).toBe(4240);
    expect(await done()).toEqual(['registered']);
    host.status = 200;
    await owner.client.post(`${path()}/test_callback`);
    expect(await done()).toEqual(['registered', 'callback_answered']);
  });

  it('counts posts by a token, and not those of its owner', async () => {
    await install(owner, team, application);
    await owner.client.post('/v1/messages', { text: 'hello', addressed_teams: [team] });
    expect(await done()).not.toContain('message_posted');
  });

  it('is written once: the use of a token writes nothing after the first', async () => {
    await install(owner, team, application);
    const { access_token } = await authorize(owner, team, application);
    const token = server.anonymous().withToken(access_token);
    await token.get('/v1/users/me');
    await runSql(server.running.db, 'DELETE FROM application_steps WHERE application_id = ?', [
      application.id,
    ]);
    await token.get('/v1/users/me');
    expect(await done()).toEqual(['registered']);
  });

  it('is the owner’s', async () => {
    const stranger = await signUp(server, 'Stranger');
    expect((await stranger.client.get(`${path()}/progress`)).code).toBe(4040);
    expect((await stranger.client.get(`${path()}/installations`)).code).toBe(4040);
  });
});

describe('the list of one’s applications', () => {
  const listed = async () =>
    (await owner.client.get('/v1/applications')).data.find(({ id }) => id === application.id);

  it('shows how often each is installed, and the result of the newest call', async () => {
    expect(await listed()).toMatchObject({ num_installations: 0, last_delivery: null });
    await install(owner, team, application);
    await install(owner, await makeTeam(owner), application);
    expect(await listed()).toMatchObject({
      num_installations: 2,
      last_delivery: { status: 'delivered', created_at: expect.any(Number) },
    });
    await owner.client.delete(`/v1/teams/${team}/applications/${application.id}`);
    host.status = 500;
    await owner.client.post(`${path()}/test_callback`);
    expect(await listed()).toMatchObject({ num_installations: 1, last_delivery: { status: 'failed' } });
  });

  it('shows until when the previous secret is valid', async () => {
    const shown = async () => (await owner.client.get(path())).data[0].previous_secret_expires_at;
    expect([await shown(), (await listed()).previous_secret_expires_at]).toEqual([null, null]);
    const rotated = await owner.client.post(`${path()}/secret`, { overlap_seconds: 60 });
    const until = rotated.data[0].previous_expires_at;
    expect([await shown(), (await listed()).previous_secret_expires_at]).toEqual([until, until]);
    const changed = await owner.client.patch(path(), { description: 'New' });
    expect(changed.data[0].previous_secret_expires_at).toBe(until);
    server.clock.advance(61);
    expect([await shown(), (await listed()).previous_secret_expires_at]).toEqual([null, null]);
  });

  it('leads to where each is installed, page by page', async () => {
    await install(owner, team, application);
    const second = await makeTeam(owner, [], 'Second');
    host.status = 503;
    await owner.client.post(`/v1/teams/${second}/applications`, { application: application.id });
    const first = await owner.client.get(`${path()}/installations?limit=1`);
    expect(first.data).toEqual([
      {
        id: expect.any(String),
        team: { id: second, name: 'Second' },
        status: 'failed',
        reason: 'status_503',
        created_at: expect.any(Number),
      },
    ]);
    const rest = await owner.client.get(
      `${path()}/installations?limit=1&cursor=${first.body.meta.next_cursor}`,
    );
    expect(rest.data).toMatchObject([{ team: { id: team }, status: 'active', reason: null }]);
    expect(rest.body.meta.next_cursor).toBeNull();
  });
});
