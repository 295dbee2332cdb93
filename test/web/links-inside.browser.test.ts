import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ApplicationHost,
  install,
  makeTeam,
  openForCode,
  type Person,
  register,
  signUp,
} from '../support/people.ts';
import { startWeb, type Web } from '../support/web.ts';

let web: Web;
let host: ApplicationHost;
let ada: Person;

beforeAll(async () => {
  web = await startWeb();
  host = await new ApplicationHost().start();
  ada = await signUp(web.server, 'Ada');
});

afterAll(async () => {
  await web?.stop();
  await host?.stop();
});

it('an address of the API that somebody wrote is text, in messages, link cards, objects and previews (claim: no-links-inside)', async () => {
  const team = await makeTeam(ada, [], 'Harbour');
  const application = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, application);
  const open = `v1/applications/${application.id}/open?team=${team}`;
  const { origin, port } = new URL(web.url);
  const inside = [
    `${origin}/${open}`,
    `${origin}//${open}`,
    `${origin}/%761/${open.slice(3)}`,
    `${origin}/x/../${open}`,
    `${origin}\\${open}`,
    `http://ada:x@${origin.slice(7)}/${open}`,
    `http://127.0.0.1:${port}/${open}`,
    `https://${origin.slice(7)}/${open}`,
    `${origin}/docs`,
    `${origin}/set-up`,
  ];
  const outside = `${origin}/teams/${team}`;
  const { data } = await ada.client.post('/v1/messages', {
    addressed_teams: [team],
    text: `First ${outside} then ${inside.join(' ')}`,
    attachments: { links: inside.map((url, at) => ({ url, title: `Minutes ${at}.pdf` })) },
  });
  expect(data[0].text).toContain(open);
  const { page, problems } = await web.visit(`/teams/${team}`, { cookie: ada.client.cookie });
  const message = page.getByRole('article').filter({ hasText: 'Minutes 0.pdf' });
  await message.waitFor();
  const links = await message
    .locator('a')
    .evaluateAll((found) => found.map((one) => (one as unknown as { href: string }).href));
  expect(links.filter((link) => /\/(?:v1|%761|docs|set-up)/.test(link))).toEqual([]);
  expect(links).toContain(outside);
  await message.getByText(`Minutes ${inside.length - 1}.pdf`).waitFor();
  expect(problems).toEqual([]);
});

it('signing in leads to no address of the API, also for somebody who is signed in', async () => {
  const team = await makeTeam(ada, [], 'Garden');
  const application = await register(ada, host);
  await install(ada, team, application);
  await openForCode(ada, team, application);
  const next = `/v1/applications/${application.id}/open?team=${team}`;
  const before = host.received.length;
  const { page } = await web.visit(`/sign-in?${new URLSearchParams({ next })}`, {
    cookie: ada.client.cookie,
  });
  await page.waitForURL('**/inbox');
  expect(host.received.length).toBe(before);
});

it('the button of a team’s page asks the first time and opens at once from then on', async () => {
  const team = await makeTeam(ada, [], 'Workshop');
  const application = await register(ada, host, { name: 'Plain tool' });
  await install(ada, team, application);
  const { page, context, problems } = await web.visit(`/teams/${team}/applications`, {
    cookie: ada.client.cookie,
  });
  const press = async () => {
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open Plain tool in a new tab' }).click();
    return opened;
  };
  const asked = await press();
  await asked.getByText('You are opening Plain tool from this team for the first time.').waitFor();
  await asked.getByText('Write messages in your name').waitFor();
  await asked.getByRole('button', { name: 'Open', exact: true }).click();
  await asked.waitForURL(`${host.url}/redirect?**`);
  const again = await press();
  await again.waitForURL(`${host.url}/redirect?**`);
  expect(new URL(again.url()).searchParams.get('platform_team_id')).toBe(team);
  expect(await again.evaluate('window.opener')).toBeNull();
  expect(problems).toEqual([]);
});
