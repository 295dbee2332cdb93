import { createOutbound, type OutboundAnswer, type OutboundResponse } from '#platform/outbound/index.ts';
import type { RunningServer } from '../../src/app/start.ts';
import type { StoryClock } from './clock.ts';
import { converse } from './conversation.ts';
import { HOOK_KEYS, HOOKS, type HookKey, signOf } from './hooks.ts';
import { emailOf, NAMES, PEOPLE, type Profile, type Who } from './people.ts';
import { Person } from './person.ts';
import { drawPortrait } from './portrait.ts';
import { TEAM_KEYS, TEAMS, type TeamKey } from './teams.ts';

export const DEMO_PASSWORD = 'bread and butter';

/** Input of the second half of the seeding, which runs after the example application has started. */
export interface Seeded {
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly owner: Person;
  /** The member who works in the example application. */
  readonly baker: Person;
  readonly teamId: string;
}

/** Creates the people, their teams, what they said in the last days, and the registration of the example application. */
export async function seedDemo(
  server: RunningServer,
  exampleUrl: string,
  clock: StoryClock,
): Promise<Seeded> {
  const { people, ids } = await signUpAll(server);
  const teams = await makeTeams(people, ids);
  const hooks = await makeHooks(people.mara, teams);
  await converse({ clock, origin: server.url, people, ids, teams, hooks });
  for (const who of NAMES) await showStatus(people[who], PEOPLE[who]);
  // They signed in days ago, and what follows asks for the password again.
  for (const person of [people.mara, people.jonas])
    await person.ask('POST', '/v1/sessions/current/confirmation', { password: DEMO_PASSWORD });
  const application = await people.mara.ask<{ id: string; client_secret: string }>(
    'POST',
    '/v1/applications',
    {
      name: 'Task tracker',
      description: 'A list of tasks for each team. The example that new applications begin with.',
      icon: '✅',
      base_url: exampleUrl,
      preinstall_url: `${exampleUrl}/parley/install`,
      uninstall_url: `${exampleUrl}/parley/uninstall`,
      team_update_url: `${exampleUrl}/parley/team`,
      redirect_uris: [`${exampleUrl}/parley/redirect`],
      scopes: EXAMPLE_SCOPES,
      listed: true,
    },
  );
  return {
    credentials: { clientId: application.id, clientSecret: application.client_secret },
    owner: people.mara,
    baker: people.jonas,
    teamId: teams.bakery,
  };
}

async function signUpAll(server: RunningServer) {
  const people = {} as Record<Who, Person>;
  const ids = {} as Record<Who, string>;
  const setup_token = new URL(server.setUpUrl ?? server.url).hash.slice(1);
  for (const who of NAMES) {
    const { first_name, last_name, title, time_zone, portrait }: Profile = PEOPLE[who];
    const person = new Person(server);
    const names = { first_name, last_name, title };
    const signUp = { ...names, email: emailOf(who), password: DEMO_PASSWORD, setup_token };
    ids[who] = (await person.ask('POST', '/v1/users', signUp)).id;
    people[who] = person;
    await person.ask('PATCH', '/v1/users/me', { username: who, time_zone });
    if (portrait)
      await person.sendFile('PUT', '/v1/users/me/image', `${who}.png`, await drawPortrait(portrait));
  }
  return { people, ids };
}

/** Last of all: a status of days ago would be none. */
async function showStatus(person: Person, { status }: Profile): Promise<void> {
  if (status) await person.ask('PATCH', '/v1/users/me', { status });
}

async function makeTeams(
  people: Readonly<Record<Who, Person>>,
  ids: Readonly<Record<Who, string>>,
): Promise<Record<TeamKey, string>> {
  const teams = {} as Record<TeamKey, string>;
  for (const key of TEAM_KEYS) {
    const { people: members, ...team } = TEAMS[key];
    const { id } = await people.mara.ask('POST', '/v1/teams', team);
    teams[key] = id;
    for (const who of members.filter((one) => one !== 'mara')) {
      const url = `/v1/teams/${id}/invitations`;
      const { token } = await people.mara.ask<{ token: string }>('POST', url, { emails: [emailOf(who)] });
      await people[who].ask('PUT', `/v1/invitations/${token}`);
    }
  }
  await people.mara.ask('PATCH', `/v1/users/me/teams/${teams.bakery}`, { is_favorite: true });
  const bakers = { name: 'bakers', users: [ids.jonas, ids.aiko, ids.finn] };
  await people.mara.ask('POST', `/v1/teams/${teams.bakery}/groups`, bakers);
  return teams;
}

/** @returns the addresses, which are shown this once */
async function makeHooks(
  owner: Person,
  teams: Readonly<Record<TeamKey, string>>,
): Promise<Record<HookKey, string>> {
  const addresses = {} as Record<HookKey, string>;
  for (const key of HOOK_KEYS) {
    const hook = HOOKS[key];
    const path = `/v1/teams/${teams[hook.team]}/webhooks`;
    const { id, url } = await owner.ask<{ id: string; url: string }>('POST', path, { name: hook.name });
    await owner.sendFile('PUT', `${path}/${id}/image`, `${key}.png`, await signOf(hook));
    const { pathname } = new URL(url);
    addresses[key] = 'subject' in hook ? `${pathname}?subject=${encodeURIComponent(hook.subject)}` : pathname;
  }
  return addresses;
}

/** To hear `@tasktracker …`, and to post for members. */
const EXAMPLE_SCOPES = ['messages:read', 'messages:write'];

/** Whose calls these are. */
const OWNER = 'demo';

const TASKS = { done: 'Clean the new oven', open: 'Order two crates of rye' };

/**
 * Installs the example application, which must be running by now, and works in it as a member does in the browser: a
 * finished task is a message in the team, with a link to the task; all tasks are posted as a file.
 */
export async function workInExample({ owner, baker, teamId, credentials }: Seeded): Promise<void> {
  const application = credentials.clientId;
  await owner.ask('POST', `/v1/teams/${teamId}/applications`, { application });
  const outbound = createOutbound({ userAgent: 'Parley demo', allowLoopback: true, showLoopback: true });
  const entrance = await baker.open(application, teamId, EXAMPLE_SCOPES);
  const { headers } = succeeded(await outbound.get(entrance, 0, OWNER));
  const cookie = headers['set-cookie']?.split(';')[0] ?? '';
  const { origin } = new URL(entrance);
  const send = async (path: string, form: Record<string, string>) => {
    const type = 'application/x-www-form-urlencoded';
    const sent = { cookie, origin, accept: 'application/json', 'content-type': type };
    const posting = { url: origin + path, body: String(new URLSearchParams(form)), headers: sent };
    return succeeded(await outbound.post(OWNER, async () => posting)).body;
  };
  const { id } = JSON.parse(await send('/tasks', { title: TASKS.done })) as { id: number };
  await send('/tasks', { title: TASKS.open });
  await send(`/tasks/${id}/done`, {});
  await send('/tasks/share', { key: 'demo' });
}

/** @throws Error when the example application refused, or did not answer */
function succeeded(answer: OutboundAnswer): OutboundResponse {
  if (!answer.ok) throw new Error(`the example application: ${answer.detail}`);
  if (answer.status >= 400) throw new Error(`the example application answered ${answer.status}`);
  return answer;
}
