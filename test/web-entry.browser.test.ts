import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from './support/client.ts';
import { ApplicationHost } from './support/people.ts';
import { inspect, PHONE, startWeb, type Web } from './support/web.ts';

let web: Web;
/** Who administers the server: the first account, made below over HTTP where a test is not about it. */
let ada: Client;

const PASSWORD = 'a long password';

beforeAll(async () => {
  web = await startWeb({ REGISTRATION: 'invite' });
});

afterAll(() => web?.stop());

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function enterAccount(page: Page, first: string, last: string): Promise<void> {
  await field(page, 'First name').fill(first);
  await field(page, 'Last name').fill(last);
  await field(page, 'Password').fill(PASSWORD);
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await field(page, 'Email address').fill(email);
  await field(page, 'Password').fill(password);
  await press(page, 'Sign in');
}

/** The link in the newest mail of a kind, which the server has kept: there is no mail server. */
async function keptLink(kind: string, to: string): Promise<string> {
  for (;;) {
    const { data } = await ada.get('/v1/admin/mails?limit=200');
    const mail = data.find((one) => one.kind === kind && one.to === to);
    const link = mail && /https?:\/\/\S+/.exec((await ada.get(`/v1/admin/mails/${mail.id}`)).data[0].text)?.[0];
    if (link) return link;
  }
}

