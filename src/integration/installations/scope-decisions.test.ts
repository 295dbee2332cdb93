import { beforeAll, describe, expect, it } from 'vitest';
import {
  authorize,
  install,
  makeTeam,
  type RegisteredApplication,
  register,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, host, dev, admin, member } = scene({ people: ['Dev', 'Admin', 'Member'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(admin, [member]);
});

async function installed(scopes: readonly string[]): Promise<RegisteredApplication> {
  const app = await register(dev, host, { scopes });
  await install(admin, team, app);
  return app;
}

const pathOf = ({ id }: RegisteredApplication) => `/v1/teams/${team}/applications/${id}/scopes`;
const askFor = ({ id }: RegisteredApplication, scopes: readonly string[]) =>
  dev.client.patch(`/v1/applications/${id}`, { scopes });
const shownOf = async ({ id }: RegisteredApplication) =>
  (await admin.client.get(`/v1/teams/${team}/applications`)).data.find(
    (one: { application: { id: string } }) => one.application.id === id,
  );

describe('an application that asks for more', () => {
  it('keeps what it has, and the admin sees the difference (claim: scopes-decided)', async () => {
    const app = await installed(['messages:read']);
    const token = server.anonymous().withToken((await authorize(member, team, app)).access_token);
    await askFor(app, ['messages:read', 'files:read', 'members:write']);
    expect(await shownOf(app)).toMatchObject({
      scopes: ['messages:read'],
      requested_scopes: ['files:read', 'members:write'],
      declined_scopes: [],
    });
    expect((await token.get(`/v1/messages?team=${team}`)).status).toBe(200);
    expect((await token.get(`/v1/teams/${team}/invitations`)).code).toBe(4031);
  });

  it('is granted a part, and asks no more for what was declined (claim: scopes-decided)', async () => {
    const app = await installed(['messages:read']);
    await askFor(app, ['messages:read', 'files:read', 'members:write']);
    const put = await admin.client.put(pathOf(app), {
      scopes: ['messages:read', 'files:read'],
      declined: ['members:write'],
    });
    const decided = {
      scopes: ['messages:read', 'files:read'],
      requested_scopes: [],
      declined_scopes: ['members:write'],
    };
    expect(put.data).toMatchObject([decided]);
    expect(await shownOf(app)).toMatchObject(decided);
    // Another scope is asked for; what was declined stays so, also where a client does not send it.
    await askFor(app, ['messages:read', 'files:read', 'members:write', 'team:write']);
    expect(await shownOf(app)).toMatchObject({
      requested_scopes: ['team:write'],
      declined_scopes: ['members:write'],
    });
    const more = await admin.client.put(pathOf(app), {
      scopes: ['messages:read', 'files:read', 'team:write'],
    });
    expect(more.data).toMatchObject([{ requested_scopes: [], declined_scopes: ['members:write'] }]);
    const all = await admin.client.put(pathOf(app), {
      scopes: ['messages:read', 'files:read', 'team:write', 'members:write'],
    });
    expect(all.data).toMatchObject([{ requested_scopes: [], declined_scopes: [] }]);
  });

  it('shows a person what is new when it is opened next (claim: scopes-decided)', async () => {
    const app = await installed(['messages:read']);
    await authorize(member, team, app);
    await askFor(app, ['messages:read', 'files:read']);
    const opening = `/v1/applications/${app.id}/opening?team=${team}`;
    expect((await member.client.get(opening)).data).toMatchObject([
      { scopes: ['messages:read'], agreed: ['messages:read'] },
    ]);
    await admin.client.put(pathOf(app), { scopes: ['messages:read', 'files:read'] });
    expect((await member.client.get(opening)).data).toMatchObject([
      { scopes: ['messages:read', 'files:read'], agreed: ['messages:read'] },
    ]);
  });
});

describe('the history of what was granted', () => {
  it('says who decided what, the newest first (claim: scopes-decided)', async () => {
    const app = await installed(['messages:read', 'direct:read']);
    await askFor(app, ['messages:read', 'direct:read', 'files:read', 'team:write']);
    await admin.client.put(pathOf(app), {
      scopes: ['messages:read', 'files:read'],
      declined: ['direct:read', 'team:write'],
    });
    const { data } = await admin.client.get(pathOf(app));
    expect(data).toMatchObject([
      {
        decided_by: { id: admin.id },
        scopes: ['messages:read', 'files:read'],
        added: ['files:read'],
        removed: ['direct:read'],
        declined: ['team:write'],
      },
      { decided_by: { id: admin.id }, scopes: ['messages:read', 'direct:read'], removed: [], declined: [] },
    ]);
    expect((await member.client.get(pathOf(app))).code).toBe(4030);
    expect((await dev.client.get(pathOf(app))).code).toBe(4040);
  });

  it('keeps every decision of two admins who decide at once', async () => {
    const app = await installed(['messages:read', 'files:read']);
    const both = await Promise.all([
      admin.client.put(pathOf(app), { scopes: ['messages:read'] }),
      admin.client.put(pathOf(app), { scopes: ['files:read'] }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await admin.client.get(pathOf(app))).data).toHaveLength(3);
  });
});

it('what is declined must be asked for, and not granted by the same request', async () => {
  const app = await installed(['messages:read']);
  for (const [body, reason] of [
    [{ scopes: [], declined: ['files:read'] }, 'declined.0'],
    [{ scopes: ['messages:read'], declined: ['messages:read'] }, 'declined.0'],
    [{ scopes: ['team:write'] }, 'scopes.0'],
    [{ scopes: [], declined: ['everything'] }, 'declined.0'],
    [{ declined: [] }, 'scopes'],
  ] as const) {
    const answer = await admin.client.put(pathOf(app), body);
    expect([answer.code, answer.body.errors[0].reason]).toEqual([4002, reason]);
  }
  expect(await shownOf(app)).toMatchObject({ scopes: ['messages:read'] });
});
