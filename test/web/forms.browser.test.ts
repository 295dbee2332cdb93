import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Asking, asking, plain } from '../support/clicks.ts';
import { ApplicationHost, makeTeam, type Person, signUp } from '../support/people.ts';
import {
  answerFirst,
  inspect,
  PHONE,
  startWeb,
  tooSmall,
  tooWide,
  type Visitor,
  type Web,
} from '../support/web.ts';

let web: Web;
let host: ApplicationHost;
let dev: Person;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  web = await startWeb();
  host = await new ApplicationHost().start();
  dev = await signUp(web.server, 'Dev');
  ada = await signUp(web.server, 'Ada');
  ben = await signUp(web.server, 'Ben');
});

afterAll(async () => {
  await web?.stop();
  await host?.stop();
});

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

interface Heard extends Record<string, unknown> {
  readonly id: string;
  readonly kind: string;
  readonly state?: object;
  readonly response_url: string;
}

/** A team of Ada and Ben, or another person, with an application that has a command. */
async function place(name: string, person = ben): Promise<{ team: string; app: Asking }> {
  const team = await makeTeam(ada, [person], name);
  const app = await asking(web.server, { owner: dev, admin: ada, host, team });
  await dev.client.patch(`/v1/applications/${app.app.id}`, {
    commands: [{ name: 'holiday', description: 'Ask for a holiday' }],
  });
  return { team, app };
}

/** The next thing of a kind that the application hears. */
async function next(app: Asking, kind: string, count = 1): Promise<Heard> {
  const all = async () => (await app.heard()).filter((one) => one.kind === kind) as Heard[];
  await expect.poll(async () => (await all()).length).toBe(count);
  return (await all()).at(-1) as Heard;
}

async function answer(heard: Heard, fields: object): Promise<void> {
  const { status, text } = await web.server.anonymous().post(new URL(heard.response_url).pathname, fields);
  expect([status, text]).toEqual([200, expect.anything()]);
}

const input = (block_id: string, label: string, element: object, fields: object = {}) => ({
  ...{ type: 'input', block_id, label: plain(label), element: { action_id: 'value', ...element } },
  ...fields,
});
const option = (text: string) => ({ text: plain(text), value: text.toLowerCase() });

const WHY = input(
  'why',
  'Why?',
  { type: 'plain_text_input', max_length: 40 },
  { hint: plain('In a few words.') },
);
const FORM = {
  title: 'Ask for a holiday',
  submit: 'Ask',
  close: 'Not now',
  blocks: [
    { type: 'section', block_id: 'lead', text: plain('Twelve days are left this year.') },
    WHY,
    input('days', 'How many days?', { type: 'number_input', is_decimal_allowed: false, min_value: '1' }),
    input('kind', 'What kind?', {
      type: 'static_select',
      options: [option('Paid'), option('Unpaid')],
    }),
    input(
      'half',
      'Half days',
      { type: 'checkboxes', options: [option('First'), option('Last')] },
      { optional: true },
    ),
    input('note', 'Note', { type: 'plain_text_input', multiline: true }, { optional: true }),
  ],
};

/** Ben gives the command, and the application answers with a form. */
async function opened(page: Page, app: Asking, form: object = FORM, count = 1): Promise<Heard> {
  const field = page.getByRole('textbox', { name: /^Write to/ });
  await field.fill('/holiday');
  await field.press('Enter');
  const command = await next(app, 'command', count);
  await answer(command, { form });
  await page.getByRole('dialog').waitFor();
  return command;
}

it('a form opens for a command and is filled in with the keyboard alone; what is wrong is said at the field (claim: form-filled-in)', async () => {
  const { team, app } = await place('Bakery');
  const { page, context, problems } = await visit(ben, `/teams/${team}`);
  const other = await context.newPage();
  await other.goto(`/teams/${team}`);
  await opened(page, app);
  const dialog = page.getByRole('dialog', { name: 'Ask for a holiday' });
  await dialog.getByText('Holidays', { exact: true }).waitFor();
  await dialog.getByText('What you enter goes to Holidays. It never needs your Parley password.').waitFor();
  await dialog.getByRole('textbox', { name: 'Why?' }).and(page.locator(':focus')).waitFor();
  await inspect(page, 'form');
  expect(await other.getByRole('dialog').count()).toBe(0);

  await page.keyboard.press('Enter');
  await dialog.getByText('It was not sent').waitFor();
  await dialog.getByRole('textbox', { name: 'Why?' }).and(page.locator(':focus')).waitFor();
  expect(await dialog.locator('[aria-invalid=true]').count()).toBe(3);
  await inspect(page, 'form-refused');
  await page.keyboard.type('Sun');
  await page.keyboard.press('Tab');
  await page.keyboard.type('0');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.type('unp');
  await page.getByRole('option', { name: 'Unpaid' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('combobox', { name: 'What kind?: Unpaid' }).and(page.locator(':focus')).waitFor();
  expect(await dialog.locator('[aria-invalid=true]').count()).toBe(0);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('A\nB');
  await page.keyboard.press('Control+Enter');
  await dialog.getByText('Enter at least 1.').waitFor();
  await dialog.getByRole('spinbutton', { name: 'How many days?' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const submission = await next(app, 'form');
  expect(submission.state).toEqual({
    why: { value: 'Sun' },
    days: { value: '3' },
    kind: { value: 'unpaid' },
    half: { value: ['first'] },
    note: { value: 'A\nB' },
  });
  await dialog.getByText('Holidays is working on it…').waitFor();
  await page.keyboard.press('Enter');
  await inspect(page, 'form-sending');

  await answer(submission, { errors: { why: 'Say a little more.' } });
  await dialog.getByText('Say a little more.').waitFor();
  const why = dialog.getByRole('textbox', { name: 'Why?' });
  await why.and(page.locator(':focus')).waitFor();
  expect(await why.inputValue()).toBe('Sun');
  await inspect(page, 'form-errors');
  await page.keyboard.type(' and sea');
  await page.keyboard.press('Enter');
  await answer(await next(app, 'form', 2), {});
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Write to Bakery' }).and(page.locator(':focus')).waitFor();
  expect(problems).toEqual([]);
});

it('a form of a button lies below another one, and is there again (claim: form-stack)', async () => {
  const { team, app } = await place('Dock');
  await app.post();
  const { page, problems } = await visit(ben, `/teams/${team}`);
  const button = page.getByRole('button', { name: 'Approve' });
  await button.press('Enter');
  const first = {
    ...FORM,
    blocks: [
      WHY,
      {
        type: 'actions',
        block_id: 'more',
        elements: [{ type: 'button', action_id: 'person', text: plain('Add a person') }],
      },
    ],
  };
  await answer(await next(app, 'action'), { form: first });
  const below = page.getByRole('dialog', { name: 'Ask for a holiday' });
  await below.getByRole('textbox', { name: 'Why?' }).fill('Sun');
  await below.getByRole('button', { name: 'Add a person' }).press('Enter');
  const pushed = {
    title: 'Add a person',
    submit: 'Add',
    push: true,
    blocks: [input('who', 'Who?', { type: 'users_select' })],
  };
  await answer(await next(app, 'action', 2), { form: pushed });
  const above = page.getByRole('dialog', { name: 'Add a person' });
  await above.getByRole('combobox', { name: 'Who?' }).and(page.locator(':focus')).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Search' }).pressSequentially('ada');
  await page.getByRole('option', { name: /Ada/ }).waitFor();
  await inspect(page, 'form-above');
  // Oneself, too.
  await page.getByRole('combobox', { name: 'Search' }).fill('ben');
  await page.getByRole('option', { name: /Ben/ }).waitFor();
  await page.keyboard.press('Enter');
  await above.getByRole('combobox', { name: 'Who?: Ben Test' }).waitFor();
  await above.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  const submission = await next(app, 'form');
  expect(submission.state).toEqual({ who: { value: ben.id } });
  await answer(submission, {});
  await below.waitFor();
  expect(await below.getByRole('textbox', { name: 'Why?' }).inputValue()).toBe('Sun');
  await below.getByRole('textbox', { name: 'Why?' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await answer(await next(app, 'form', 2), {});
  await below.waitFor({ state: 'detached' });
  await button.and(page.locator(':focus')).waitFor();
  expect(problems).toEqual([]);
});

it('what was typed outlives a reload and a change of the form, and is gone after signing out (claim: form-kept)', async () => {
  const cleo = await signUp(web.server, 'Cleo');
  const { team, app } = await place('Forge', cleo);
  const { page, context, problems } = await visit(cleo, `/teams/${team}`);
  const command = await opened(page, app);
  const dialog = page.getByRole('dialog', { name: 'Ask for a holiday' });
  const why = dialog.getByRole('textbox', { name: 'Why?' });
  await why.fill('Half a sen');
  await page.reload();
  await why.waitFor();
  expect(await why.inputValue()).toBe('Half a sen');

  const [, , ...rest] = FORM.blocks;
  await answer(command, { form: { ...FORM, blocks: [WHY, { type: 'divider' }, ...rest] } });
  await dialog.getByText('Twelve days are left').waitFor({ state: 'detached' });
  await why.press('End');
  await page.keyboard.type('tence');
  expect(await why.inputValue()).toBe('Half a sentence');

  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await question.waitFor();
  await inspect(page, 'form-discard');
  await question.getByRole('button', { name: 'Keep writing' }).press('Enter');
  await question.waitFor({ state: 'detached' });
  expect(await why.inputValue()).toBe('Half a sentence');
  const keptNow = () => page.evaluate<string>('JSON.stringify(sessionStorage)');
  expect(await keptNow()).toContain('Half a sentence');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await keptNow()).not.toContain('Half a sentence');

  await opened(page, app, FORM, 2);
  await why.fill('A secret');
  expect(await keptNow()).toContain('A secret');
  // In another view, too; and in another tab nothing of it is there.
  await page.goto('/settings');
  await why.waitFor();
  expect(await why.inputValue()).toBe('A secret');
  const other = await context.newPage();
  await other.goto(`/teams/${team}`);
  await other.getByRole('textbox', { name: 'Write to Forge' }).waitFor();
  expect(await other.getByRole('dialog').count()).toBe(0);
  await other.getByRole('button', { name: 'Cleo Test' }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await keptNow()).not.toContain('A secret');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('a form that the application opens after a reload is there, once (claim: form-after-reload)', async () => {
  const { team, app } = await place('Mill');
  const { page, problems } = await visit(ben, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Mill' });
  await field.fill('/holiday');
  await field.press('Enter');
  await page.getByText('Holidays is working on /holiday…').waitFor();
  const command = await next(app, 'command');
  await page.reload();
  await page.getByText('Holidays is working on /holiday…').waitFor();
  await answer(command, { form: FORM });
  const dialog = page.getByRole('dialog', { name: 'Ask for a holiday' });
  await dialog.getByRole('textbox', { name: 'Why?' }).and(page.locator(':focus')).waitFor();
  expect((await app.heard()).length).toBe(1);
  // Nothing fills it in by itself.
  for (const control of await dialog.locator('input[type=text], input[type=number], textarea').all()) {
    const attributes = ['autocomplete', 'data-1p-ignore', 'data-lpignore', 'data-bwignore', 'data-form-type'];
    expect(await Promise.all(attributes.map((name) => control.getAttribute(name)))).toEqual([
      ...['off', 'true', 'true', 'true', 'other'],
    ]);
  }
  expect(await dialog.locator('input[type=password]').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('elements of a form that act at once change it, and options are found as somebody types', async () => {
  const { team, app } = await place('Kiln');
  const { page, problems } = await visit(ben, `/teams/${team}`);
  const town = input('town', 'Town', { type: 'external_select', min_query_length: 1 });
  const kind = {
    ...input('kind', 'Kind', { type: 'radio_buttons', options: [option('Day'), option('Week')] }),
    dispatch_action: true,
  };
  await opened(page, app, { ...FORM, blocks: [kind, town] });
  const dialog = page.getByRole('dialog', { name: 'Ask for a holiday' });
  await dialog.getByRole('radio', { name: 'Week' }).focus();
  await page.keyboard.press('Space');
  const told = await next(app, 'action');
  expect(told).toMatchObject({ block_id: 'kind', value: 'week', state: { kind: { value: 'week' } } });
  await answer(told, { form: { ...FORM, blocks: [kind, town, WHY] } });
  await dialog.getByRole('textbox', { name: 'Why?' }).fill('Sea');
  expect(await dialog.getByRole('radio', { name: 'Week' }).isChecked()).toBe(true);

  await dialog.getByRole('combobox', { name: 'Town' }).press('Enter');
  await page.getByRole('combobox', { name: 'Search' }).pressSequentially('l');
  const question = await next(app, 'options');
  expect(question).toMatchObject({ block_id: 'town', value: 'l' });
  await answer(question, { options: [option('Lisbon')] });
  await page.getByRole('option', { name: 'Lisbon' }).waitFor();
  // Escape closes the list alone.
  await page.keyboard.press('Escape');
  await page.getByRole('option', { name: 'Lisbon' }).waitFor({ state: 'detached' });
  await dialog.getByRole('combobox', { name: 'Town' }).and(page.locator(':focus')).press('Enter');
  await page.getByRole('combobox', { name: 'Search' }).pressSequentially('l');
  await page.getByRole('option', { name: 'Lisbon' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('combobox', { name: 'Town: Lisbon' }).and(page.locator(':focus')).waitFor();
  await dialog.getByRole('button', { name: 'Ask' }).press('Enter');
  const submission = await next(app, 'form');
  expect(submission.state).toEqual({
    kind: { value: 'week' },
    town: { value: 'lisbon' },
    why: { value: 'Sea' },
  });
  await answer(submission, {});
  await dialog.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('a form that was changed when it is sent is shown again, and loses nothing (claim: form-conflict)', async () => {
  const { team, app } = await place('Lab');
  const { page, problems } = await visit(ben, `/teams/${team}`);
  await opened(page, app);
  const dialog = page.getByRole('dialog', { name: 'Ask for a holiday' });
  const why = dialog.getByRole('textbox', { name: 'Why?' });
  await why.fill('Sun');
  await dialog.getByRole('spinbutton').fill('2');
  await dialog.getByRole('combobox', { name: 'What kind?' }).press('Enter');
  await page.getByRole('option', { name: 'Paid', exact: true }).click();
  await answerFirst(page, 'POST', '**/v1/forms/*/submission', (route) =>
    route.fulfill({
      status: 409,
      json: { errors: [{ code: 4090, reason: 'form_changed', message: 'The form has changed' }] },
    }),
  );
  await dialog.getByRole('button', { name: 'Ask' }).press('Enter');
  await dialog.getByText('The application changed this form.').waitFor();
  expect(await why.inputValue()).toBe('Sun');
  await inspect(page, 'form-changed');
  await dialog.getByRole('button', { name: 'Ask' }).press('Enter');
  const submission = await next(app, 'form');
  expect(submission.state).toMatchObject({ why: { value: 'Sun' }, days: { value: '2' } });

  // Nobody answers: it can be sent again.
  web.server.clock.advance(900);
  await dialog.getByText('Holidays did not answer.').waitFor();
  await inspect(page, 'form-failed');
  await dialog.getByRole('button', { name: 'Try again' }).press('Enter');
  await answer(await next(app, 'form', 2), {});
  await dialog.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('an application hears that its form was closed, and a form that is closed elsewhere is gone (claim: form-closed)', async () => {
  const { team, app } = await place('Harbour');
  const { page, problems } = await visit(ben, `/teams/${team}`);
  await opened(page, app, { ...FORM, notify_on_close: true });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await next(app, 'form_closed')).toMatchObject({
    user: ben.id,
    form: { title: 'Ask for a holiday' },
  });

  // Closed in another window: this one says so.
  await opened(page, app, FORM, 2);
  const { forms } = JSON.parse(await page.evaluate<string>(`sessionStorage.getItem('parley.tab.forms')`));
  expect((await ben.client.delete(`/v1/forms/${forms[0]}`)).status).toBe(200);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('The form of Holidays was closed.').waitFor();
  await opened(page, app, FORM, 3);
  await page.getByRole('button', { name: 'Not now' }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await app.heard()).filter(({ kind }) => kind === 'form_closed').length).toBe(1);
  expect(problems).toEqual([]);
});

it('a form fills the screen of a phone, in Arabic too', async () => {
  const { team, app } = await place('Yard');
  for (const [locale, count] of [
    ['en-GB', 1],
    ['ar', 2],
  ] as const) {
    const phone = { viewport: PHONE, hasTouch: true, isMobile: true, locale };
    const { page, problems } = await visit(ben, `/teams/${team}`, phone);
    const field = page.getByRole('textbox').first();
    await field.fill('/holiday');
    await page.getByRole('button', { name: /Send|إرسال/ }).tap();
    await answer(await next(app, 'command', count), { form: FORM });
    await page.getByRole('dialog').waitFor();
    await inspect(page, `form-phone-${locale}`);
    expect(await tooWide(page)).toEqual([]);
    expect(await tooSmall(page, '[role=dialog]')).toEqual([]);
    const box = await page.getByRole('dialog').boundingBox();
    expect([box?.x, box?.y, box?.width, box?.height]).toEqual([0, 0, PHONE.width, PHONE.height]);
    expect(problems).toEqual([]);
    await page.getByRole('dialog').getByRole('button').last().tap();
    await page.getByRole('dialog').locator('[aria-invalid=true]').first().waitFor();
    await inspect(page, `form-phone-refused-${locale}`);
  }
});
