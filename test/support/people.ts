import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from './client.ts';
import type { TestServer } from './server.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly client: Client;
}

let people = 0;
const PASSWORD = 'a password of length';

/** The token of the printed link, which the first user of a reachable server needs. */
export function setUp({ running }: TestServer): { setup_token?: string } {
  const { setUpUrl } = running;
  return setUpUrl === undefined ? {} : { setup_token: new URL(setUpUrl).hash.slice(1) };
}

/** Signs a new person up. */
export async function signUp(server: TestServer, name = 'Person', fields: object = {}): Promise<Person> {
  const client = new Client(server.url);
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}${++people}@example.org`;
  const answer = await client.post('/v1/users', {
    email,
    password: PASSWORD,
    first_name: name,
    last_name: 'Test',
    ...fields,
  });
  if (answer.status !== 200) throw new Error(`sign-up failed: ${answer.text}`);
  client.password = (fields as { password?: string }).password ?? PASSWORD;
  return { id: answer.data[0].id, email: answer.data[0].primary_email.address, client };
}

/** A new team of its admin; the others join by invitation. @returns its id */
export async function makeTeam(
  admin: Person,
  members: readonly Person[] = [],
  name = 'Team',
): Promise<string> {
  const { data } = await admin.client.post('/v1/teams', { name });
  const team = data[0].id as string;
  if (members.length > 0) await joinAll(admin, team, members);
  return team;
}

export const join = (admin: Person, team: string, member: Person, type = 2) =>
  joinAll(admin, team, [member], type);

/** One after the other, in their order. */
async function joinAll(admin: Person, team: string, members: readonly Person[], type = 2): Promise<void> {
  const invited = await admin.client.post(`/v1/teams/${team}/invitations`, {
    emails: members.map(({ email }) => email),
    membership_type: type,
  });
  for (const { client, email } of members) {
    const { token } = invited.data.find((one) => one.email === email) ?? {};
    const accepted = await client.put(`/v1/invitations/${token}`);
    if (accepted.status !== 200) throw new Error(`joining failed: ${accepted.text}`);
    // Where there is a mail server, an admin has to prove the address first.
    const [{ membership_type, userid }] = accepted.data;
    if (membership_type !== type)
      await admin.client.patch(`/v1/teams/${team}/users/${userid}`, { membership_type: type });
  }
}

/** A call that an application received. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Tells its connection from others. */
  readonly port?: number | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
  readonly raw: string;
}

/** The application's side: a real listener on loopback that records its calls. */
export class ApplicationHost {
  readonly received: Received[] = [];
  /** The status of every answer. */
  status = 200;
  /** Sent with every answer. */
  headers: Record<string, string> = {};
  /** While set, calls are received and never answered. */
  silent = false;
  /** Runs before each answer. */
  beforeAnswer: ((call: Received) => Promise<unknown>) | undefined;
  #server: Server | undefined;
  #waiting: (() => void)[] = [];
  url = '';

  async start(port = 0): Promise<this> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const raw = Buffer.concat(chunks).toString('utf8');
      const call: Received = {
        path: request.url ?? '',
        headers: request.headers,
        port: request.socket.remotePort,
        raw,
        body: raw === '' ? undefined : JSON.parse(raw),
      };
      this.received.push(call);
      for (const wake of this.#waiting.splice(0)) wake();
      await this.beforeAnswer?.(call);
      if (!this.silent) response.writeHead(this.status, this.headers).end('ok');
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#server = server;
    return this;
  }

  /** Waits for a call that fits. */
  async next(fits: (call: Received) => boolean): Promise<Received> {
    for (;;) {
      const found = this.received.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** As a new one. */
  clear(): void {
    this.received.length = 0;
    this.status = 200;
    this.headers = {};
    this.silent = false;
    this.beforeAnswer = undefined;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise<void>((resolve) => {
      if (this.#server) this.#server.close(() => resolve());
      else resolve();
    });
  }
}

export interface RegisteredApplication {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly credentials: Client;
}

/** Registers an application whose addresses are those of `host`. */
export async function register(
  owner: Person,
  host: ApplicationHost,
  fields: object = {},
): Promise<RegisteredApplication> {
  const redirectUri = `${host.url}/redirect`;
  const answer = await owner.client.post('/v1/applications', {
    name: 'Tracker',
    base_url: host.url,
    preinstall_url: `${host.url}/install`,
    uninstall_url: `${host.url}/uninstall`,
    redirect_uris: [redirectUri],
    listed: true,
    ...fields,
  });
  if (answer.status !== 200) throw new Error(`registering failed: ${answer.text}`);
  const { id, client_secret: secret } = answer.data[0];
  return { id, secret, redirectUri, credentials: owner.client.withCredentials(id, secret) };
}

export async function install(
  admin: Person,
  team: string,
  application: RegisteredApplication,
): Promise<void> {
  const answer = await admin.client.post(`/v1/teams/${team}/applications`, { application: application.id });
  if (answer.status !== 200) throw new Error(`installing failed: ${answer.text}`);
}

/** Opens the application as a member who agrees to everything on the consent page. @returns the authorization code */
export async function openForCode(
  member: Person,
  team: string,
  application: RegisteredApplication,
): Promise<string> {
  const answer = await member.client.get(`/v1/applications/${application.id}/open?team=${team}`);
  const location = answer.headers.get('location');
  if (answer.status !== 303 || !location) throw new Error(`opening failed: ${answer.status} ${answer.text}`);
  const url = location.startsWith('/') ? await agreeAndOpen(member, team, application) : location;
  return new URL(url).searchParams.get('code') ?? '';
}

/** Acts as the consent page does. @returns the redirect */
export async function agreeAndOpen(
  member: Person,
  team: string,
  application: RegisteredApplication,
): Promise<string> {
  const path = `/v1/applications/${application.id}/opening`;
  const { scopes } = (await member.client.get(`${path}?team=${team}`)).data[0];
  const answer = await member.client.post(path, { team, scopes });
  if (answer.status !== 200) throw new Error(`opening failed: ${answer.status} ${answer.text}`);
  return answer.data[0].url;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** The form of the token route for a code. */
export function exchangeForm(application: RegisteredApplication, code: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code,
    client_id: application.id,
    client_secret: application.secret,
    redirect_uri: application.redirectUri,
  };
}

/** Opens the application and exchanges the code, as the application would. */
export async function authorize(
  member: Person,
  team: string,
  application: RegisteredApplication,
): Promise<Tokens> {
  const code = await openForCode(member, team, application);
  const answer = await new Client(member.client.url).ask('POST', '/v1/oauth2/token', {
    form: exchangeForm(application, code),
  });
  if (answer.status !== 200) throw new Error(`exchanging failed: ${answer.text}`);
  return answer.body;
}
