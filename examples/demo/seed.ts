import { createOutbound, type OutboundAnswer, type OutboundResponse } from '#platform/outbound/index.ts';
import type { RunningServer } from '../../src/app/start.ts';
import { converse } from './conversation.ts';
import { Person } from './person.ts';

export const DEMO_PASSWORD = 'bread and butter';

const PEOPLE = [
  { first_name: 'Mara', last_name: 'Okafor', title: 'Owner' },
  { first_name: 'Jonas', last_name: 'Lindqvist', title: 'Baker' },
  { first_name: 'Aiko', last_name: 'Tanaka', title: 'Pastry' },
  { first_name: 'Samir', last_name: 'Haddad', title: 'Deliveries' },
];

const emailOf = (index: number) => `${PEOPLE[index]?.first_name.toLowerCase()}@demo.example`;

/** Input of the second half of the seeding, which runs after the example application has started. */
export interface Seeded {
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly owner: Person;
  /** The member who works in the example application. */
  readonly baker: Person;
  readonly teamId: string;
}

/** Creates the people, their team, their messages and the registration of the example application. */
export async function seedDemo(server: RunningServer, exampleUrl: string): Promise<Seeded> {
  const people = PEOPLE.map(() => new Person(server));
  const ids: string[] = [];
  const setup_token = new URL(server.setUpUrl ?? server.url).hash.slice(1);
  for (const [index, person] of people.entries()) {
    const signUp = { ...PEOPLE[index], email: emailOf(index), password: DEMO_PASSWORD, setup_token };
    ids.push((await person.ask('POST', '/v1/users', signUp)).id);
  }
  const [owner, ...others] = people as [Person, Person, ...Person[]];
  const team = await owner.ask('POST', '/v1/teams', { name: 'Harbour Bakery', color: '#b4541a', icon: '🥖' });
  for (const [index, person] of others.entries()) {
    const invitation = { emails: [emailOf(index + 1)] };
    const url = `/v1/teams/${team.id}/invitations`;
    const { token } = await owner.ask<{ token: string }>('POST', url, invitation);
    await person.ask('PUT', `/v1/invitations/${token}`);
  }
  await converse(people, ids, team.id);
  const application = await owner.ask<{ id: string; client_secret: string }>('POST', '/v1/applications', {
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
  });
  return {
    credentials: { clientId: application.id, clientSecret: application.client_secret },
    owner,
    baker: others[0] as Person,
    teamId: team.id,
  };
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
