import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { asking, plain } from '../support/clicks.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, dev, ada, bob } = scene({ people: ['Dev', 'Ada', 'Bob'] });

/** As many questions as are remembered for a person, and options that come close to the bytes of an answer. */
const QUESTIONS = 20;
const OPTIONS = 95;
const long = (text: string) => ({ ...plain(text.padEnd(75, 'x')) });
const option = (value: string) => ({
  text: long(value),
  value: value.padEnd(150, 'x'),
  description: long(value),
});

it('a click takes no longer than what its person was offered is long', async () => {
  const team = await makeTeam(ada, [bob]);
  const of = await asking(server, { owner: dev, admin: ada, host, team });
  const block = {
    ...{ type: 'actions', block_id: 'find' },
    elements: [{ type: 'external_select', action_id: 'task', min_query_length: 1 }],
  };
  const offered = async (share: number) => {
    const message = await of.post({ text: 'Which task?', blocks: [block] });
    const at = { block_id: 'find', action_id: 'task' };
    for (let question = 0; question < QUESTIONS; question++)
      await bob.client.post(`/v1/messages/${message}/options`, { ...at, value: `q${question}` });
    const options = Array.from({ length: Math.floor(OPTIONS * share) }, (_, index) => option(`o${index}`));
    for (const { message: about, response_url } of await of.heard())
      if (about.id === message) await server.anonymous().post(new URL(response_url).pathname, { options });
    return { message, at };
  };
  const stages = new Map([
    [1, await offered(1)],
    [1 / 4, await offered(1 / 4)],
  ]);
  const { times } = await growth(async (share) => {
    const { message, at } = stages.get(share) as { message: string; at: object };
    const choice = { ...at, value: option('o0').value };
    for (let again = 0; again < 5; again++) {
      const click = randomUUID();
      const { status } = await bob.client.post(`/v1/messages/${message}/interactions`, { ...choice, click });
      expect(status).toBe(200);
    }
  });
  expect(times).toBeLessThan(MOST_GROWTH);
});
