import { expect, it } from 'vitest';
import { costOf } from '../support/growth.ts';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { ada } = scene({ people: ['Ada'] });

/** As many versions as are kept of one message, and the signs that take longest to read. */
const VERSIONS = 50;
const TEXT = '- @a\n'.repeat(3000);
/** Times as long as the first edits: the number of earlier ones does not count. */
const MOST = 2.5;

it('an edit takes as long as the first one, however many came before', async () => {
  const team = await makeTeam(ada);
  const { id } = (await ada.client.post('/v1/messages', { addressed_teams: [team], text: TEXT })).data[0];
  const costs: number[] = [];
  for (let edit = 1; edit <= VERSIONS; edit++) {
    const { cpu } = await costOf(async () => {
      const { status } = await ada.client.patch(`/v1/messages/${id}`, { text: `${TEXT}${edit}` });
      expect(status).toBe(200);
    });
    costs.push(cpu);
  }
  const least = (some: readonly number[]) => Math.min(...some);
  expect(least(costs.slice(-5)) / least(costs.slice(0, 5))).toBeLessThan(MOST);
});
