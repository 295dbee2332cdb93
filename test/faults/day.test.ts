import { randomBytes } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { runDay, Surroundings } from '../../bench/day.ts';
import { addPrograms, seedCompany } from '../../bench/day-people.ts';
import { signUp } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer | undefined;
const surroundings = new Surroundings();
afterEach(async () => {
  await server?.stop();
  await surroundings.stop();
});

it('a day of a small company loses, doubles and reorders nothing', async () => {
  await surroundings.start();
  const cookieKey = randomBytes(32);
  server = await startTestServer(
    { ...surroundings.settings(cookieKey), MAIL_BATCH_SECONDS: '2' },
    { clock: Date.now },
  );
  const owner = await signUp(server, 'Owner');
  const { db } = server.running;
  const company = await seedCompany(db, owner.id, cookieKey, { people: 24, teams: 5, members: 10 });
  const programs = await addPrograms(owner, company, surroundings.host);
  const { url } = server;
  const { faults, load, events } = await runDay({
    ...{ url, db, company, programs, surroundings },
    streams: 20,
    seconds: 10,
    factor: 0.5,
  });
  // A machine that is too busy for it makes the server refuse a request, which loses nothing.
  expect(faults.filter((fault) => !fault.includes('answered 503'))).toEqual([]);
  expect([load.posted.size > 50, events > 500]).toEqual([true, true]);
});
