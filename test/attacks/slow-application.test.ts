/**
 * The owner of an application lets it hang, and causes one change after the other in a team that has it installed, so
 * that calls to everybody else's applications wait behind those to theirs. What holds: one call at a time is under way
 * to an application, however many nodes there are. Changes that wait for it become one call. After some failures in a
 * while its calls pause, and its owner is told.
 */
import { afterEach, describe, expect, it } from 'vitest';
import {
  ApplicationHost,
  install,
  join,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const { server, mailbox, admin } = scene({
  people: ['Admin'],
  mail: true,
  environment: { CALLBACK_TIMEOUT: '60' },
});
const hosts: ApplicationHost[] = [];

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

async function newHost(): Promise<ApplicationHost> {
  const host = await new ApplicationHost().start();
  hosts.push(host);
  return host;
}

async function installed(host: ApplicationHost, team: string): Promise<RegisteredApplication> {
  const application = await register(admin, host, { team_update_url: `${host.url}/team` });
  await install(admin, team, application);
  return application;
}

const isUpdate = (call: { path: string }) => call.path === '/team';
const setRole = (team: string, member: Person, membership_type: number) =>
  admin.client.patch(`/v1/teams/${team}/users/${member.id}`, { membership_type });

// biome-ignore lint/suspicious/noExplicitAny: deliveries as they come
type Shown = any;

async function deliveriesOnce(
  of: RegisteredApplication,
  wanted: (all: Shown[]) => boolean,
): Promise<Shown[]> {
  return until(async () => {
    const { data } = await admin.client.get(`/v1/applications/${of.id}/deliveries`);
    return wanted(data) && data;
  });
}

describe('an application that never answers (claim: calls-one-at-a-time)', () => {
  it('has one call under way, while those to others go out', async () => {
    const [slow, quick] = [await newHost(), await newHost()];
    const members = [await signUp(server, 'One'), await signUp(server, 'Two')];
    const teams = [await makeTeam(admin, members), await makeTeam(admin, members)];
    const slowOne = await register(admin, slow, { team_update_url: `${slow.url}/team` });
    for (const team of teams) await install(admin, team, slowOne);
    slow.silent = true;
    for (let n = 0; n < 40; n++) {
      const [team, member] = [teams[n % 2] as string, members[(n >> 1) % 2] as Person];
      await setRole(team, member, (n >> 2) % 2 === 0 ? 1 : 2);
    }
    await slow.next(isUpdate);
    const other = await makeTeam(admin);
    await installed(quick, other);
    await join(admin, other, members[0] as Person);
    expect((await quick.next(isUpdate)).body).toMatchObject({ change: 'member_added' });
    expect(slow.received.filter(isUpdate)).toHaveLength(1);
  });

  it('has one call waiting for each team, which tells of every member', async () => {
    const slow = await newHost();
    const members = [await signUp(server, 'One'), await signUp(server, 'Two'), await signUp(server, 'Three')];
    const [one, two, three] = members as [Person, Person, Person];
    const team = await makeTeam(admin, [one, two]);
    const application = await installed(slow, team);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    slow.beforeAnswer = () => held;
    await setRole(team, one, 1);
    await slow.next(isUpdate);
    for (const type of [1, 2, 1]) await setRole(team, two, type);
    await join(admin, team, three);
    await setRole(team, three, 1);
    await admin.client.delete(`/v1/teams/${team}/users/${one.id}`);
    const { data } = await admin.client.get(`/v1/applications/${application.id}/deliveries`);
    expect(data.filter(({ kind }) => kind === 'team_update')).toHaveLength(2);
    answer();
    const told = await slow.next((call) => isUpdate(call) && call.body.changes.length > 1);
    expect(told.body).toMatchObject({
      type: 'team_update',
      change: 'member_removed',
      user: { id: one.id },
      incomplete: false,
      team: { id: team, team_id: team },
      changes: [
        { change: 'role_changed', user: { id: two.id }, membership_type: 1 },
        { change: 'member_added', user: { id: three.id }, membership_type: 1 },
        { change: 'member_removed', user: { id: one.id }, membership_type: null },
      ],
    });
  });
});

describe('an application that fails (claim: calls-one-at-a-time)', () => {
  it('is told by one later call what the call that failed would have told', async () => {
    const host = await newHost();
    const [one, two] = [await signUp(server, 'One'), await signUp(server, 'Two')];
    const team = await makeTeam(admin, [one, two]);
    const application = await installed(host, team);
    host.status = 500;
    await setRole(team, one, 1);
    await deliveriesOnce(application, (all) => all[0].kind === 'team_update' && all[0].num_attempts === 1);
    await setRole(team, two, 1);
    const [later, earlier] = await deliveriesOnce(application, (all) => all[1].status === 'replaced');
    expect(earlier).toMatchObject({ next_attempt_at: null });
    expect(later).toMatchObject({ status: 'pending', num_attempts: 0 });
    const { code, body } = await admin.client.post(
      `/v1/applications/${application.id}/deliveries/${earlier.id}/redeliver`,
    );
    expect([code, body.errors[0].reason]).toEqual([4090, 'replaced']);
    host.status = 200;
    server.clock.advance(6);
    const told = await host.next((call) => call.headers['webhook-id'] === later.id);
    expect(told.body.changes.map(({ user }: { user: { id: string } }) => user.id)).toEqual([one.id, two.id]);
  });

  it('is left alone for a while, its owner is told once, and a success ends it', async () => {
    const host = await newHost();
    const member = await signUp(server, 'Member');
    const application = await register(admin, host, { team_update_url: `${host.url}/team`, name: 'Broken' });
    const teams: string[] = [];
    for (let n = 0; n < 6; n++) teams.push(await makeTeam(admin, [member]));
    for (const team of teams) await install(admin, team, application);
    host.status = 500;
    const shown = async () => (await admin.client.get(`/v1/applications/${application.id}`)).data[0];
    const failures = () =>
      deliveriesOnce(application, (all) =>
        teams.every((team) => all.find((one) => one.team === team)?.num_attempts > 0),
      );
    for (const team of teams) await setRole(team, member, 1);
    await failures();
    // Not for a bad moment alone.
    expect(await shown()).toMatchObject({
      calls_failing_since: expect.any(Number),
      calls_paused_until: null,
    });
    server.clock.advance(61);
    await until(async () => (await shown()).calls_paused_until !== null);
    const mail = await mailbox.next(admin.email, ({ subject }) => subject === 'Broken does not answer');
    expect(mail.text).toContain(`/developers/${application.id}/deliveries`);
    const calls = host.received.length;
    await install(admin, await makeTeam(admin), await register(admin, await newHost()));
    // Each of its turns is over by now: what is due waits.
    server.clock.advance(31);
    await admin.client.get('/v1/users/me');
    expect(host.received.length).toBe(calls);
    server.clock.advance(300);
    await host.next(() => host.received.length === calls + 1);
    await until(async () => (await shown()).calls_paused_until !== null);
    expect(host.received.length).toBe(calls + 1);
    host.status = 200;
    await admin.client.post(`/v1/applications/${application.id}/test_callback`);
    expect(await shown()).toMatchObject({ calls_failing_since: null, calls_paused_until: null });
    server.clock.advance(31);
    await deliveriesOnce(application, (all) => all.every(({ status }) => status !== 'pending'));
    expect(mailbox.received.filter(({ subject }) => subject === 'Broken does not answer')).toHaveLength(1);
  });

  it('decides itself when it is called again, and may refuse for good', async () => {
    const host = await newHost();
    const member = await signUp(server, 'Member');
    const team = await makeTeam(admin, [member]);
    const application = await installed(host, team);
    host.status = 503;
    host.headers = { 'Retry-After': '3000' };
    await setRole(team, member, 1);
    const [asked] = await deliveriesOnce(application, (all) => all[0].num_attempts === 1);
    expect(asked.next_attempt_at - asked.updated_at).toBeCloseTo(3000, 0);
    host.status = 410;
    host.headers = {};
    server.clock.advance(3001);
    const [gone] = await deliveriesOnce(application, (all) => all[0].num_attempts === 2);
    expect(gone).toMatchObject({ status: 'failed', next_attempt_at: null });
  });

  it('takes a notice with any success', async () => {
    const host = await newHost();
    const member = await signUp(server, 'Member');
    const team = await makeTeam(admin, [member]);
    const application = await installed(host, team);
    host.status = 202;
    await setRole(team, member, 1);
    const [notice] = await deliveriesOnce(application, (all) => all[0].status === 'delivered');
    expect(notice).toMatchObject({ num_attempts: 1, next_attempt_at: null });
  });
});
