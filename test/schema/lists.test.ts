import { expect, it } from 'vitest';
import { install, makeTeam, register } from '../support/people.ts';
import { recordStatements } from '../support/plans.ts';
import { scene } from '../support/scene.ts';
import { planOf } from '../support/tables.ts';

/* Pages that walk over what was deleted, or over the same rows each time, take longer the more there is of it. */

const { server, host, ada } = scene({ people: ['Ada'] });

it('lists of objects and the archive of uploads begin at what is there', async () => {
  const { db } = server.running;
  const team = await makeTeam(ada);
  const application = await register(ada, host);
  await install(ada, team, application);
  const recorded = recordStatements(db);
  await application.credentials.get(`/v1/applications/${application.id}/objects`);
  await ada.client.get(`/v1/teams/${team}/objects`);
  const archive = await ada.client.get('/v1/users/me/export');
  expect([archive.status]).toEqual([200]);
  const asked = recorded();
  const plansFor = (table: string) =>
    Promise.all(
      asked
        .filter(({ sql }) => new RegExp(`from "${table}"`).test(sql) && /order by/.test(sql))
        .map(({ sql, values }) => planOf(db, sql, values)),
    );
  const objects = await plansFor('objects');
  expect(objects.map((plan) => /objects_of_(?:application|team)/.test(plan))).toEqual([true, true]);
  const uploads = await plansFor('attachments');
  expect(uploads.length).toBeGreaterThan(0);
  for (const plan of uploads) {
    expect(plan).toContain('attachments_of_user');
    expect(plan).not.toMatch(/B-TREE|Sort/);
  }
});
