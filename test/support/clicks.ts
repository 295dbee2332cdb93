import { randomUUID } from 'node:crypto';
import type { Client } from './client.ts';
import { allPlaced, pathOf, pullAll, subscribe } from './feed.ts';
import {
  type ApplicationHost,
  install,
  type Person,
  type RegisteredApplication,
  register,
} from './people.ts';
import type { TestServer } from './server.ts';

export const plain = (text: string) => ({ type: 'plain_text', text });

/** A question of an application, with two buttons. */
export const ASK = {
  type: 'actions',
  block_id: 'ask',
  elements: [
    { type: 'button', action_id: 'yes', text: plain('Approve'), value: 'holiday-7' },
    { type: 'button', action_id: 'no', text: plain('Decline'), value: 'no' },
    {
      type: 'static_select',
      action_id: 'day',
      options: ['mon', 'tue'].map((value) => ({ text: plain(value), value })),
    },
  ],
};

/** The blocks of a heading. */
export const headed = (text: string) => [{ type: 'header', text: plain(text) }];

/** An application that a team has, and that asks things in it. */
export interface Asking {
  readonly app: RegisteredApplication;
  readonly subscription: string;
  /** @param by a client with a token, instead of one of the application itself @returns a message with blocks */
  post(fields?: object, by?: Client): Promise<string>;
  /** The application as itself, with a token that was just issued. */
  itself(): Promise<Client>;
  /** The data of the events of clicks so far. */
  // biome-ignore lint/suspicious/noExplicitAny: data of an event
  heard(): Promise<any[]>;
}

/** Registers and installs an application that hears clicks. @param fields of its subscription */
export async function asking(
  server: TestServer,
  { owner, admin, host, team }: { owner: Person; admin: Person; host: ApplicationHost; team: string },
  fields: object = {},
): Promise<Asking> {
  const app = await register(owner, host, { name: 'Holidays', scopes: ['messages:read', 'messages:write'] });
  await install(admin, team, app);
  const { id: subscription } = await subscribe(app, { kinds: ['interaction'], ...fields });
  const itself = async () => {
    const form = { grant_type: 'client_credentials', team };
    const { body } = await app.credentials.ask('POST', '/v1/oauth2/token', { form });
    return server.anonymous().withToken(body.access_token);
  };
  return {
    app,
    subscription,
    itself,
    async post(given = { blocks: [ASK] }, by) {
      const answer = await (by ?? (await itself())).post('/v1/messages', {
        addressed_teams: [team],
        ...given,
      });
      return answer.data[0].id;
    },
    async heard() {
      await allPlaced(server);
      const { events } = await pullAll(app.credentials, pathOf(app, subscription), 'limit=100');
      return events.map(({ data }) => data);
    },
  };
}

/** Presses the first button, unless `fields` say otherwise. */
export const press = (by: Person, message: string, fields: object = {}) =>
  by.client.post(`/v1/messages/${message}/interactions`, {
    block_id: 'ask',
    action_id: 'yes',
    click: randomUUID(),
    ...fields,
  });

/** Presses, and gives what the application hears of it. */
export async function pressHeard(by: Person, message: string, of: Asking, fields: object = {}) {
  const [{ id }] = (await press(by, message, fields)).data;
  const heard = (await of.heard()).find((data) => data.id === id) as { id: string; response_url: string };
  return { id, path: new URL(heard.response_url).pathname };
}
