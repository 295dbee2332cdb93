import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { asking } from '../support/clicks.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';
import { install, makeTeam, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, dev, ada, bob } = scene({ people: ['Dev', 'Ada', 'Bob'] });

/** Applications of a team, each with as many commands as one may have, and descriptions as long as they may be. */
const APPLICATIONS = 40;
const COMMANDS = 25;

/** No two look alike. */
const letters = (number: number) =>
  [...number.toString(8).padStart(2, '0')].map((digit) => 'abcdefgh'[Number(digit)]).join('');
const named = (of: number) =>
  Array.from({ length: COMMANDS }, (_, index) => ({
    name: `do-${letters(of)}${letters(index)}`,
    description: 'x'.repeat(100),
  }));

it('a command and the list of commands take no longer than a team has commands', async () => {
  const teamOf = async (share: number) => {
    const team = await makeTeam(ada, [bob]);
    const of = await asking(server, { owner: dev, admin: ada, host, team });
    const commands = [{ name: 'standup', description: 'Say what you do' }];
    await dev.client.patch(`/v1/applications/${of.app.id}`, { commands });
    for (let index = 1; index < APPLICATIONS * share; index++) {
      const app = await register(dev, host, { name: `Application ${index}` });
      const changed = await dev.client.patch(`/v1/applications/${app.id}`, { commands: named(index) });
      expect(changed.status).toBe(200);
      await install(ada, team, app);
    }
    return team;
  };
  const teams = new Map([
    [1, await teamOf(1)],
    [1 / 4, await teamOf(1 / 4)],
  ]);
  const { times } = await growth(async (share) => {
    const path = `/v1/teams/${teams.get(share)}/commands`;
    for (let again = 0; again < 5; again++) {
      const listed = await bob.client.get(path);
      expect(listed.data).toHaveLength((APPLICATIONS * share - 1) * COMMANDS + 1);
      const click = randomUUID();
      expect((await bob.client.post(path, { text: '/standup', click })).status).toBe(200);
    }
  });
  expect(times).toBeLessThan(MOST_GROWTH);
});
