import { afterAll, beforeAll, expect, it } from 'vitest';
import { Mailbox } from '../support/mailbox.ts';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, tooWide, type Web } from '../support/web.ts';

let web: Web;
let mailbox: Mailbox;
let ada: Person;

beforeAll(async () => {
  mailbox = await new Mailbox().start();
  web = await startWeb({
    REGISTRATION: 'invite',
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Parley <parley@example.org>',
  });
  ada = await signUp(web.server, 'Ada', { last_name: 'Lovelace' });
});
afterAll(async () => {
  await web?.stop();
  await mailbox.stop();
});

it('an administrator lets a domain in, and somebody of it signs up and joins', async () => {
  const team = await makeTeam(ada, [], 'Harbour');
  const { page, problems } = await web.visit('/admin/users', { cookie: ada.client.cookie });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await press('Let a domain in');
  await page.getByLabel('Domain', { exact: true }).fill('gmail.com');
  await press('Let them in');
  await page.getByText('Everybody can have an address in this domain').waitFor();
  await inspect(page, 'domain-rule-refused');
  await page.getByLabel('Domain', { exact: true }).fill('Company.example');
  await press('Let them in');
  const row = page.getByRole('listitem').filter({ hasText: 'company.example' });
  await row.getByText('join Harbour').waitFor();
  await inspect(page, 'domain-rules');
  await page.setViewportSize(PHONE);
  expect(await tooWide(page)).toEqual([]);

  const guest = await web.visit('/sign-in');
  await guest.page.getByRole('link', { name: 'Sign up' }).click();
  await guest.page.getByText('if this server lets its domain in').waitFor();
  await inspect(guest.page, 'sign-up-by-domain');
  await guest.page.getByLabel('First name').fill('Eve');
  await guest.page.getByLabel('Last name').fill('Holt');
  await guest.page.getByLabel('Email').fill('eve@company.example');
  await guest.page.getByLabel('Password', { exact: true }).fill('a password of length');
  await guest.page.getByRole('button', { name: 'Create the account' }).click();
  await guest.page.getByText('A link was mailed to eve@company.example').waitFor();
  await inspect(guest.page, 'signed-up-by-domain');
  const mail = await mailbox.next('eve@company.example', ({ text }) =>
    text.includes('/email_verifications/'),
  );
  await guest.page.goto(/\/email_verifications\/[\w-]+/.exec(mail.text)?.[0] as string);
  await guest.page.getByRole('button', { name: /confirm/i }).click();
  await guest.page.getByText('The address is confirmed').waitFor();
  await guest.page.getByRole('link', { name: 'Go to the inbox' }).click();
  await guest.page.getByRole('link', { name: 'Harbour' }).first().waitFor();

  // The admins of the team see the rule, too.
  await page.goto(`/teams/${team}/settings`);
  await page.getByRole('heading', { name: 'People of a domain' }).waitFor();
  await inspect(page, 'domain-rules-of-team');
  expect(await tooWide(page)).toEqual([]);
  await page.getByRole('button', { name: 'End company.example for Harbour' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
  await row.waitFor({ state: 'detached' });
  expect([...problems, ...guest.problems]).toEqual([]);
});
