import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Database, DatabaseUnavailable } from '../../src/platform/db/index.ts';
import { ordinary } from '../costs/inputs.ts';
import { allRows, ordinaryOf } from '../costs/rows.ts';
import { problemOf, send } from '../costs/send.ts';
import { picture, STAGE_ENVIRONMENT, type Stage, setStage } from '../costs/stage.ts';
import { scene } from '../support/scene.ts';
import { dumpTables } from '../support/tables.ts';

/*
 * The ordinary request of every route while the database is gone. A route that is added is tried by itself, by its schema.
 */

const { server, host, ada, bob } = scene({
  people: ['Ada', 'Bob'],
  environment: STAGE_ENVIRONMENT,
  // Workers that look around would write while the database is there.
  options: { workerIntervalMs: 3_600_000 },
});

/** What is gone: all of the database, its writes, or each transaction at its end. */
type Gone = 'everything' | 'writing' | 'the commit';

const gone = () => Promise.reject(new DatabaseUnavailable('taken away'));

/** Takes the database away from the server that runs. @returns how it comes back */
function takeAway(what: Gone): () => void {
  const db = server.running.db as { -readonly [Name in keyof Database]: Database[Name] };
  const [write, batch] = [db.write.bind(db), db.batch.bind(db)];
  if (what === 'everything') db.all = gone;
  db.write = gone;
  db.batch = gone;
  if (what === 'the commit') {
    db.write = (work, options) => write((tx) => work(tx).then(gone), options);
    db.batch = (work, item, options) => batch(async (tx, items) => work(tx, items).then(gone), item, options);
  }
  // The methods of the class show again.
  return () => {
    for (const name of ['all', 'write', 'batch'] as const) delete (db as Partial<Database>)[name];
  };
}

/** What needs no database, or finds by the address alone that there is nothing. */
const WITHOUT_DATABASE = [
  /^GET \/(?:\.well-known\/\S+|asyncapi\.json|docs|healthz|manifest\.webmanifest|metrics|openapi\.json|page|worker\.js)$/,
  /^GET \/v1\/emoji\/\{name\}\/\{variant\}\/\{version\}$/,
  /\/v1\/unsubscribe\/\{token\}$/,
  /^POST \/v1\/interactions\/\{interaction\}\/\{secret\}$/,
];

/** Forms, which the schemas of routes do not say. */
const UPLOADS = [
  ['POST', '/v1/attachments', undefined],
  ['POST', '/v1/emoji', 'gone_parrot'],
  ['PUT', '/v1/users/me/image', undefined],
] as const;

/** @returns what everybody is asked and answered, in the order of the routes */
async function answersOf(stage: Stage) {
  const answers: { name: string; status: number; text: string; problem: string | undefined }[] = [];
  for (const row of await allRows()) {
    const answer = await send(row, stage, ordinary(row, ordinaryOf(row, stage)));
    answers.push({ name: row.name, ...answer, problem: problemOf(row, answer) });
  }
  for (const [method, path, name] of UPLOADS) {
    const { status, text } = await ada.client.ask(method, path, { raw: picture(name) });
    answers.push({ name: `${method} ${path} with a file`, status, text, problem: 'a file was taken' });
  }
  return answers;
}

/** RFC 6749 §5.2 has answers of its own, and so has the check of a load balancer. */
const isRefused = ({ status, text }: { status: number; text: string }) =>
  status === 503 && /"code":5030|"temporarily_unavailable"|"database unavailable"/.test(text);

it('every route is refused whole while the database, its writes or its commits are gone', async () => {
  const { db } = server.running;
  const stage = await setStage(server, host, [ada, bob]);
  const state = async () => ({
    rows: await dumpTables(db),
    files: globSync('files/**', { cwd: server.environment.DATA_DIR as string }).sort(),
  });
  const before = await state();
  for (const what of ['everything', 'writing', 'the commit'] as const) {
    const back = takeAway(what);
    const answers = await answersOf(stage).finally(back);
    const wrong = answers.filter((answer) => {
      if (isRefused(answer)) return false;
      if (what === 'everything') return !WITHOUT_DATABASE.some((path) => path.test(answer.name));
      // What only reads is answered as ever, and so is a refusal that comes before any write.
      return answer.problem !== undefined;
    });
    expect(wrong.map(({ name, status, text }) => `${what}: ${status} ${name} ${text.slice(0, 200)}`)).toEqual(
      [],
    );
    expect(answers.filter(isRefused).length, what).toBeGreaterThan(100);
    expect(await state(), what).toEqual(before);
  }
});
