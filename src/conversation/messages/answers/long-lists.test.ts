import { expect, it } from 'vitest';
import { newId } from '#platform/ids.ts';
import type { EphemeralAnswerRow } from '#schema';
import { asking, pressHeard } from '../../../../test/support/clicks.ts';
import { makeTeam, type Person } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';
import { insertAnswer } from './answer.store.ts';

const { server, host, dev, ada, bob, zoe } = scene({ people: ['Dev', 'Ada', 'Bob', 'Zoe'] });

const MANY = 20;
const ANSWERS = 40;
/** Close to the bytes that blocks may have. */
const BLOCKS = Array.from({ length: 5 }, () => ({ type: 'markdown', text: '*a* '.repeat(2990) }));

it('many long lists of answers to one person let others in between', async () => {
  const team = await makeTeam(ada, [bob]);
  const of = await asking(server, { owner: dev, admin: ada, host, team });
  const { path } = await pressHeard(bob, await of.post(), of);
  await server.anonymous().post(path, { ephemeral: true, text: 'one', blocks: BLOCKS });
  const { db } = server.running;
  const [first] = await runSql<EphemeralAnswerRow>(
    db,
    `SELECT * FROM ephemeral_answers WHERE team_id = '${team}'`,
  );
  await db.write((tx) =>
    insertAnswer(
      tx,
      Array.from({ length: ANSWERS - 1 }, () => ({ ...(first as EphemeralAnswerRow), id: newId() })),
    ),
  );
  const lists = `/v1/users/me/ephemeral_answers?team=${team}`;
  const { data } = await bob.client.get(lists);
  expect(data).toHaveLength(ANSWERS);
  expect(data.at(-1)).toMatchObject({ text: 'one', blocks: BLOCKS });

  const answered: string[] = [];
  const ask = async (person: Person, what: string) => {
    expect((await person.client.get(what)).status).toBe(200);
    answered.push(person.email);
  };
  const askAll = () => Array.from({ length: MANY }, () => ask(bob, lists));
  // Connections that are open: all requests come in the same turn.
  await Promise.all([...askAll(), ask(zoe, '/v1/users/me')]);
  answered.length = 0;
  const all = askAll();
  await ask(zoe, '/v1/users/me');
  expect(answered.length).toBeLessThan(MANY / 2);
  await Promise.all(all);
});
