import { beforeAll, expect, it } from 'vitest';
import { allPlaced, pathOf, pullAll, subscribe } from '../../../test/support/feed.ts';
import {
  install,
  join,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';

const { server, host, dev, ada, bob, eve } = scene({ people: ['Dev', 'Ada', 'Bob', 'Eve'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
});

const palm = { emoji: '🌴', text: 'On holiday' };
const set = (person: Person, fields: object) => person.client.patch('/v1/users/me', fields);

/** An application that hears of people in a team. @returns what it has heard */
async function hearer(scopes: readonly string[], of = team) {
  const app = await register(dev, host, { scopes });
  await install(ada, of, app);
  await allPlaced(server);
  const { id } = await subscribe(app, { kinds: ['person.changed'] });
  return { app, heard: () => heardBy(app, id) };
}

async function heardBy(app: RegisteredApplication, subscription: string) {
  await allPlaced(server);
  const { events } = await pullAll(app.credentials, pathOf(app, subscription));
  return events.map(({ type, data }) => {
    expect(type).toBe('person.changed');
    return data;
  });
}

it('tells an application that may see the members of a team how they are (claim: person-changed)', async () => {
  const until = Math.floor(server.clock.now() / 1000) + 3600;
  const [members, addresses, messages] = [
    await hearer(['members:read']),
    await hearer(['members.email:read']),
    await hearer(['messages:read']),
  ];
  await set(bob, { status: palm, do_not_disturb_until: until });
  await set(eve, { status: palm });
  const told = [{ team, user: bob.id, status: { ...palm, until: null }, do_not_disturb_until: until }];
  expect(await members.heard()).toEqual(told);
  expect(await addresses.heard()).toEqual(told);
  expect(await messages.heard()).toEqual([]);
  // Nothing that a person took back is told later: both are as they are when the event is sent.
  await set(bob, { status: null });
  const now = { team, user: bob.id, status: null, do_not_disturb_until: until };
  expect(await members.heard()).toEqual([now, now]);
  server.clock.advance(2 * 3600);
  const over = { ...now, do_not_disturb_until: null };
  expect(await members.heard()).toEqual([over, over]);
  await set(bob, { status: null });
  expect(await members.heard()).toHaveLength(2);
});

it('of somebody invisible is as that of anybody: no application learns it (claim: person-invisible)', async () => {
  const { heard } = await hearer(['members:read']);
  await set(bob, { invisible: true });
  await set(bob, { invisible: false });
  expect(await heard()).toEqual([]);
  await set(bob, { invisible: true, status: palm });
  const told = { team, user: bob.id, status: { ...palm, until: null }, do_not_disturb_until: null };
  expect(await heard()).toEqual([told]);
  await set(bob, { invisible: false, status: null });
  expect(JSON.stringify(await heard())).not.toContain('visible');
});

it('is told of the teams that an application is in, and of nobody who has left them', async () => {
  const gone = await signUp(server, 'Gone');
  const [here, there] = [await makeTeam(ada, [gone]), await makeTeam(ada, [gone])];
  const { app, heard } = await hearer(['members:read'], here);
  await set(gone, { status: palm });
  expect((await heard()).map((data) => [data.team, data.user])).toEqual([[here, gone.id]]);
  await ada.client.delete(`/v1/teams/${here}/users/${gone.id}`);
  expect(await heard()).toEqual([]);
  await join(ada, here, gone);
  await ada.client.delete(`/v1/teams/${here}/applications/${app.id}`);
  expect(await heard()).toEqual([]);
  await set(gone, { status: null });
  const rows = `SELECT audience_id, data_json FROM events WHERE kind = 'whereabouts' AND audience_id IN ('${here}', '${there}')`;
  // The log has no words, and nothing for a team in which nobody listens.
  expect(await runSql(server.running.db, rows)).toEqual([
    { audience_id: here, data_json: JSON.stringify({ user: gone.id }) },
  ]);
});
