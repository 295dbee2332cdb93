/**
 * A team uninstalls an application and installs it again, while the application still has to be told of the former: an
 * "uninstall" that is tried again, or sent by hand, would make it forget a team that has it. What holds: news of an
 * earlier installation waits for the outcome of the next one, and is given up if that succeeds; a call under way is waited
 * for; and each call says which installation it is about and which call about it is the later one.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  ApplicationHost,
  install,
  makeTeam,
  type RegisteredApplication,
  register,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const { server, admin, member } = scene({
  people: ['Admin', 'Member'],
  environment: { CALLBACK_TIMEOUT: '60' },
});
let team: string;
let host: ApplicationHost;
let application: RegisteredApplication;

beforeEach(async () => {
  host = await new ApplicationHost().start();
  team = await makeTeam(admin, [member]);
  application = await register(admin, host, { team_update_url: `${host.url}/team` });
  await install(admin, team, application);
});
afterEach(() => host.stop());

const uninstall = () => admin.client.delete(`/v1/teams/${team}/applications/${application.id}`);
const deliveries = async () => (await admin.client.get(`/v1/applications/${application.id}/deliveries`)).data;
const paths = () => host.received.map(({ path }) => path);

/** Holds the answer to the first call at an address. */
function holdAnswer(to: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  host.beforeAnswer = ({ path }) => (path === to ? promise : Promise.resolve());
  return resolve;
}

it('an uninstall that failed is not tried again while the next installation is under way (claim: uninstall-before-reinstall)', async () => {
  host.status = 500;
  await uninstall();
  await until(async () => (await deliveries())[0].num_attempts > 0);
  host.status = 200;
  const answer = holdAnswer('/install');
  const installing = install(admin, team, application);
  await host.next((call) => call.path === '/install' && host.received.indexOf(call) > 1);
  server.clock.advance(6);
  // Its turn has come, and that of another delivery after it.
  const other = await register(admin, host, { name: 'Other', preinstall_url: `${host.url}/other` });
  await admin.client.post(`/v1/applications/${other.id}/test_callback`);
  const told = async () => (await deliveries()).find(({ kind }) => kind === 'uninstall');
  expect(await told()).toMatchObject({ status: 'pending', num_attempts: 1 });
  answer();
  await installing;
  expect(await told()).toMatchObject({ status: 'failed', next_attempt_at: null });
  expect(paths().filter((path) => path === '/uninstall')).toHaveLength(1);
});

it('an uninstall that failed is tried again after an installation that failed (claim: uninstall-before-reinstall)', async () => {
  host.status = 500;
  await uninstall();
  await until(async () => (await deliveries())[0].num_attempts > 0);
  const body = { application: application.id };
  expect((await admin.client.post(`/v1/teams/${team}/applications`, body)).code).toBe(4240);
  host.status = 200;
  await until(() => {
    server.clock.advance(5);
    return paths().filter((path) => path === '/uninstall').length === 2;
  });
  await until(
    async () => (await deliveries()).find(({ kind }) => kind === 'uninstall')?.status === 'delivered',
  );
});

it.each([
  ['an uninstall', '/uninstall', uninstall],
  [
    'a team update',
    '/team',
    () => admin.client.patch(`/v1/teams/${team}/users/${member.id}`, { membership_type: 1 }),
  ],
] as const)('%s that is under way ends before the next call about the team', async (_, path, change) => {
  const answer = holdAnswer(path);
  await change();
  await host.next((call) => call.path === path);
  if (path === '/team') await uninstall();
  const installing = install(admin, team, application);
  // It has looked at least once by now.
  await admin.client.get('/v1/users/me');
  expect(paths()).toEqual(['/install', path]);
  answer();
  await installing;
  expect(paths().at(-1)).toBe('/install');
  expect(paths().filter((one) => one === '/install')).toHaveLength(2);
});

it('an uninstall waits for the team update that is under way', async () => {
  const answer = holdAnswer('/team');
  await admin.client.patch(`/v1/teams/${team}/users/${member.id}`, { membership_type: 1 });
  await host.next((call) => call.path === '/team');
  await uninstall();
  await admin.client.get('/v1/users/me');
  expect(paths()).toEqual(['/install', '/team']);
  host.status = 500;
  answer();
  await host.next((call) => call.path === '/uninstall');
  expect((await deliveries()).find(({ kind }) => kind === 'team_update')).toMatchObject({
    status: 'failed',
    next_attempt_at: null,
  });
});

it('an uninstall cannot be sent by hand to an application that is installed again', async () => {
  await uninstall();
  await host.next((call) => call.path === '/uninstall');
  const [{ id }] = await deliveries();
  await until(async () => (await deliveries())[0].status === 'delivered');
  await install(admin, team, application);
  const answer = await admin.client.post(`/v1/applications/${application.id}/deliveries/${id}/redeliver`);
  expect(answer.body.errors[0]).toMatchObject({ code: 4090, reason: 'installed_again' });
});

it('each call names the installation, and its place among the calls about it', async () => {
  await admin.client.patch(`/v1/teams/${team}/users/${member.id}`, { membership_type: 1 });
  await host.next((call) => call.path === '/team');
  await until(async () => (await deliveries())[0].status === 'delivered');
  await uninstall();
  const { body } = await host.next((call) => call.path === '/uninstall');
  const about = host.received.map((call) => call.body.installation);
  const { id } = about[0];
  expect(about).toEqual([1, 2, 3].map((sequence) => ({ id, sequence })));
  expect(body.team).toMatchObject({ id: team, team_id: team, unread_count: 0 });
  await until(async () => (await deliveries())[0].status === 'delivered');
  await install(admin, team, application);
  const again = host.received.at(-1)?.body.installation;
  expect(again).toEqual({ id: expect.not.stringMatching(id), sequence: 1 });
});

it('an application that is deleted is told that it is uninstalled', async () => {
  expect((await admin.client.delete(`/v1/applications/${application.id}`)).status).toBe(200);
  const { body } = await host.next((call) => call.path === '/uninstall');
  expect(body).toMatchObject({
    type: 'uninstall',
    team: { id: team },
    client_secret: application.secret,
  });
});
