import { expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { pathOf, subscribe } from '../support/feed.ts';
import {
  type ApplicationHost,
  authorize,
  install,
  makeTeam,
  type Person,
  register,
} from '../support/people.ts';
import { putPreview } from '../support/preview.ts';
import { receiverKeys } from '../support/push-service.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Who asks. Ada administers the server and the team, and owns the application. */
export type Caller = 'ada' | 'nobody' | 'token' | 'itself' | 'credentials' | 'metrics';

/** The settings of its server. */
export const STAGE_ENVIRONMENT = { METRICS_TOKEN: 'metrics-of-the-stage' };

/** A server on which there is something of every kind, so that each route has something to work on. */
export interface Stage {
  readonly server: TestServer;
  readonly clients: Readonly<Record<Caller, Client>>;
  /** Ids and other values, by the names that paths, queries and bodies have for them. */
  readonly known: Readonly<Record<string, string>>;
  /** Every scope that there is. */
  readonly scopes: readonly string[];
}

/** Read as text by all that reads texts: a link, marks, a mention, line breaks. */
const TEXT = `See https://tracker.example/1 and **this**, @bob.\n\n- one\n- two\n\n\`\`\`\ncode\n\`\`\`\n`;

/** One pixel, as a form has it. */
export function picture(name?: string): FormData {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const form = new FormData();
  if (name !== undefined) form.set('name', name);
  form.set('file', new Blob([bytes]), 'pixel.png');
  return form;
}

export async function setStage(
  server: TestServer,
  host: ApplicationHost,
  [ada, bob]: readonly [Person, Person],
): Promise<Stage> {
  const { client } = ada;
  const made = async (path: string, json: object, by: Client = client) => {
    const answer = await by.post(path, json);
    expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text]);
    return answer.data[0];
  };
  const team = await makeTeam(ada, [bob]);
  const { body: metadata } = await server.anonymous().get('/.well-known/oauth-authorization-server');
  const application = await register(ada, host, {
    scopes: metadata.scopes_supported,
    link_prefixes: ['https://tracker.example/'],
    icon: 'rocket',
  });
  await install(ada, team, application);
  const spare = await register(ada, host);
  const tokens = await authorize(ada, team, application);
  const { access_token } = (
    await application.credentials.ask('POST', '/v1/oauth2/token', {
      form: { grant_type: 'client_credentials', team },
    })
  ).body;
  const itself = server.anonymous().withToken(access_token);

  const attachment = (await client.ask('POST', '/v1/attachments', { raw: picture() })).data[0].id;
  await client.ask('PUT', '/v1/users/me/image', { raw: picture() });
  await client.ask('POST', '/v1/emoji', { raw: picture('party_parrot') });
  const post = (json: object, by?: Client) => made('/v1/messages', { text: TEXT, ...json }, by);
  const about = { addressed_teams: [team], subject: 'Launch' };
  const { id: message, subject_id: subject } = await post({ ...about, attachments: { files: [attachment] } });
  await client.patch(`/v1/messages/${message}`, { text: `${TEXT} ` });
  await bob.client.put(`/v1/messages/${message}/high_five`);
  await client.put(`/v1/users/me/saved/${message}`);
  await client.put(`/v1/teams/${team}/pins/${message}`);
  await made(`/v1/messages/${message}/replies`, { text: TEXT }, bob.client);
  const sidebar = await made(`/v1/messages/${message}/sidebars`, { users: [bob.id], text: TEXT });
  await made(`/v1/sidebars/${sidebar.id}/messages`, { text: TEXT }, bob.client);
  const linked = (await post({ addressed_teams: [team] }, bob.client)).id;
  const unfurls = await itself.put(`/v1/messages/${linked}/unfurls`, {
    unfurls: [{ url: 'https://tracker.example/1', title: 'One' }],
  });
  await post({ addressed_users: [ada.id] }, bob.client);
  const direct = (await post({ addressed_users: [bob.id] })).id;
  // Before the mute: a reply in a muted team reaches no inbox.
  await until(async () => (await server.running.db.all('SELECT id FROM notice_jobs', [])).length === 0);
  await client.put(`/v1/users/me/mutes/team/${team}`, { until: Date.now() + 1e9 });

  const ofApplication = `/v1/applications/${application.id}`;
  const object = await made(
    `${ofApplication}/objects`,
    { name: 'O', team, type: 't', url: '/o' },
    application.credentials,
  );
  const hearing = await subscribe(application, { webhook: { url: `${host.url}/events` } });
  await application.credentials.put(`${pathOf(application, hearing.id)}/consumers/bot/cursor`, {
    since: '0',
  });
  const invited = await client.post(`/v1/teams/${team}/invitations`, {
    emails: ['new@example.org', 'another@example.org'],
  });
  const joinLink = await made(`/v1/teams/${team}/join_links`, {});
  const group = await made(`/v1/teams/${team}/groups`, { name: 'Bakers', users: [bob.id] });
  const webhook = await made(`/v1/teams/${team}/webhooks`, { name: 'Builds' });
  const device = { endpoint: 'http://127.0.0.1:9/device', keys: receiverKeys().public };
  const push = await made('/v1/users/me/push_subscriptions', device);
  await client.post('/v1/password_resets', { email: ada.email });
  const first = async (path: string) => (await client.get(path)).data[0];
  const session = server.anonymous();
  await session.post('/v1/sessions', { email: ada.email, password: 'a password of length' });
  return {
    server,
    scopes: metadata.scopes_supported,
    clients: {
      ada: client,
      nobody: server.anonymous(),
      token: server.anonymous().withToken(tokens.access_token),
      itself,
      credentials: application.credentials,
      metrics: server.anonymous().withToken(STAGE_ENVIRONMENT.METRICS_TOKEN),
    },
    known: {
      team,
      teams: team,
      addressed_teams: team,
      own: ada.id,
      own_email: ada.email,
      user: bob.id,
      users: bob.id,
      with: bob.id,
      ids: bob.id,
      addressed_users: bob.id,
      emails: 'somebody@example.org',
      actor: ada.id,
      author: bob.id,
      admin: ada.id,
      message,
      direct,
      linked,
      around: message,
      up_to: message,
      conversation: message,
      conversation_of_two: (await first(`/v1/users/me/conversations?with=${bob.id}`)).id,
      kind: 'team',
      id: team,
      sidebar: sidebar.id,
      unfurl: unfurls.data[0].unfurls[0].id,
      reference: await putPreview(server, bob, linked),
      attachment,
      files: attachment,
      application: application.id,
      spare: spare.id,
      client_id: application.id,
      client_secret: application.secret,
      redirect_uri: application.redirectUri,
      object: object.id,
      delivery: (await first(`${ofApplication}/deliveries`)).id,
      hearing: hearing.id,
      subscription: hearing.id,
      device: push.id,
      name: 'bot',
      emoji: '👍',
      custom_emoji: 'party_parrot',
      invitation: invited.data[0].id,
      token: invited.data[1].token,
      group: group.id,
      subject,
      link: joinLink.id,
      join_link: joinLink.token,
      access_token: tokens.access_token,
      refresh_token: tokens.refresh_token,
      webhook: webhook.id,
      secret: new URL(webhook.url).pathname.split('/').at(-1) as string,
      mail: (await first('/v1/admin/mails')).id,
      grant: (await first('/v1/users/me/grants')).id,
      session: (await session.get('/v1/sessions')).data.find((one) => one.current).id,
      password: 'a password of length',
      current: 'a password of length',
      email: bob.email,
      username: 'ada.lovelace',
      base: host.url,
    },
  };
}
