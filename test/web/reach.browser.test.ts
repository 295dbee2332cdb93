import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ApplicationHost,
  authorize,
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { startWeb, type Web } from '../support/web.ts';

// The operator keeps applications to a team and profiles to connections. The pages on which people decide about an
// application announce that much, and no more.
let web: Web;
let host: ApplicationHost;
let owner: Person;
let member: Person;
let team: string;
let application: RegisteredApplication;

beforeAll(async () => {
  web = await startWeb({ APPLICATION_POSTING: 'team', PROFILE_VISIBILITY: 'connections' });
  host = await new ApplicationHost().start();
  owner = await signUp(web.server, 'Owner');
  member = await signUp(web.server, 'Member');
  team = await makeTeam(owner, [member], 'Bakery');
  application = await register(owner, host, { scopes: ['messages:read'] });
  await install(owner, team, application);
});

afterAll(async () => {
  await web?.stop();
  await host?.stop();
});

async function textOf(person: Person, path: string, shown: string, locale = 'en-GB'): Promise<string> {
  const { page, problems } = await web.visit(path, { cookie: person.client.cookie, locale });
  await page.getByText(shown, { exact: true }).waitFor();
  expect(problems).toEqual([]);
  return page.locator('body').innerText();
}

it('the consent page shows the granted reach in English', async () => {
  const shown = 'Write messages in your name, to the team from which you open it and to people in that team';
  const text = await textOf(member, `/applications/${application.id}/open?team=${team}`, shown);
  expect(text).toContain('See the team from which you open it, and its members');
  expect(text).toContain('how many unread messages you have in this team');
  expect(text).toContain('picture of people with whom you share a team');
  expect(text).not.toMatch(/your teams|other people on this server|team by team/);
});

it('and in German', async () => {
  const shown =
    'In deinem Namen Nachrichten schreiben, an das Team, aus dem du sie öffnest, und an Leute darin';
  const text = await textOf(member, `/applications/${application.id}/open?team=${team}`, shown, 'de-DE');
  expect(text).toContain('Das Team sehen, aus dem du sie öffnest, und seine Mitglieder');
  expect(text).toContain('wie viele Nachrichten du in diesem Team ungelesen hast');
  expect(text).toContain('Bild der Leute sehen, mit denen du ein Team teilst');
  expect(text).not.toMatch(/[Dd]eine Teams|anderer Leute auf diesem Server|in jedem Team/);
});

it('the page that installs says the same to the admin', async () => {
  const another = await register(owner, host);
  const path = `/teams/${team}/applications?install=${another.id}`;
  const text = await textOf(owner, path, 'post messages in their name, to this team and to people in it');
  expect(text).toContain('read this team, and who its members are');
  expect(text).toContain('read which of their connections are in this team');
  expect(text).toContain('picture of people they share a team with');
  expect(text).not.toMatch(/of other teams too|other people on this server|to their teams/);
});

it('and so does the list of connected applications', async () => {
  await authorize(member, team, application);
  const shown =
    'What every application may do: see your profile, this team and its members, and write messages in your name to them.';
  expect(await textOf(member, '/settings/applications', shown)).not.toContain('teams and connections');
});
