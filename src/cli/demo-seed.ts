import type { RunningServer } from '../start.ts';

export const DEMO_PASSWORD = 'bread and butter';

const PEOPLE = [
  { first_name: 'Mara', last_name: 'Okafor', title: 'Owner' },
  { first_name: 'Jonas', last_name: 'Lindqvist', title: 'Baker' },
  { first_name: 'Aiko', last_name: 'Tanaka', title: 'Pastry' },
  { first_name: 'Samir', last_name: 'Haddad', title: 'Deliveries' },
];

const CONVERSATION = [
  [0, 'Good morning! The new oven arrives on Thursday, so we bake everything on Wednesday night.'],
  [1, 'Fine with me. I need two more crates of rye before then.'],
  [3, 'I pass the mill at noon and can bring them.'],
  [2, 'Could you also get the good butter? 🥐'],
  [3, 'Will do.'],
  [0, 'The school ordered 120 rolls for Friday. Who opens?'],
  [1, 'I do. Please leave me the keys to the new oven.'],
] as const;

/** What the second half of the seeding needs, once the example application runs. */
export interface Seeded {
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly owner: Person;
  readonly teamId: string;
}

/** Asks the server as one person, with the cookie that signing up gave. */
class Person {
  readonly #server: RunningServer;
  #cookie = '';

  constructor(server: RunningServer) {
    this.#server = server;
  }

  /** @returns the first item of the answer's data */
  async ask<T = { id: string }>(method: 'POST' | 'PUT', url: string, body: object): Promise<T> {
    const answer = await this.#server.inject({
      method,
      url,
      headers: { origin: this.#server.url, host: new URL(this.#server.url).host, cookie: this.#cookie },
      payload: body,
    });
    const [cookie] = [answer.headers['set-cookie']].flat();
    if (typeof cookie === 'string') this.#cookie = cookie.split(';')[0] ?? '';
    if (answer.statusCode !== 200)
      throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.payload}`);
    return (JSON.parse(answer.payload) as { data: T[] }).data[0] as T;
  }
}

/** Makes the people, their team, what they said, and the example application's registration. */
export async function seedDemo(server: RunningServer, exampleUrl: string): Promise<Seeded> {
  const people = PEOPLE.map(() => new Person(server));
  for (const [index, fields] of PEOPLE.entries()) {
    const email = `${fields.first_name.toLowerCase()}@demo.example`;
    await people[index]?.ask('POST', '/v1/users', { ...fields, email, password: DEMO_PASSWORD });
  }
  const [owner, ...others] = people as [Person, ...Person[]];
  const team = await owner.ask('POST', '/v1/teams', { name: 'Harbour Bakery', color: '#b4541a', icon: '🥖' });
  for (const [index, person] of others.entries()) {
    const emails = [`${PEOPLE[index + 1]?.first_name.toLowerCase()}@demo.example`];
    const { token } = await owner.ask<{ token: string }>('POST', `/v1/teams/${team.id}/invitations`, {
      emails,
    });
    await person.ask('PUT', `/v1/invitations/${token}`, {});
  }
  for (const [author, text] of CONVERSATION) {
    await people[author]?.ask('POST', '/v1/messages', { text, addressed_teams: [team.id] });
  }
  const application = await owner.ask<{ id: string; client_secret: string }>('POST', '/v1/applications', {
    name: 'Task tracker',
    description: 'A list of tasks for each team. The example that new applications begin with.',
    icon: '✅',
    base_url: exampleUrl,
    preinstall_url: `${exampleUrl}/parley/install`,
    uninstall_url: `${exampleUrl}/parley/uninstall`,
    team_update_url: `${exampleUrl}/parley/team`,
    redirect_uris: [`${exampleUrl}/parley/redirect`],
    listed: true,
  });
  return {
    credentials: { clientId: application.id, clientSecret: application.client_secret },
    owner,
    teamId: team.id,
  };
}

/** Installs the example application, which must be running by now. */
export async function installExample(seeded: Seeded): Promise<void> {
  const { owner, teamId, credentials } = seeded;
  await owner.ask('POST', `/v1/teams/${teamId}/applications`, { application: credentials.clientId });
}
