import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blocks, ParleyApplication } from '#sdk';
import type { Client } from '../support/client.ts';
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
import {
  DESK,
  inspect,
  intercept,
  PHONE,
  startWeb,
  tooSmall,
  tooWide,
  type Visitor,
  type Web,
} from '../support/web.ts';

let web: Web;
let host: ApplicationHost;
let ada: Person;
let ben: Person;
let application: RegisteredApplication;

beforeAll(async () => {
  web = await startWeb();
  host = await new ApplicationHost().start();
  ada = await signUp(web.server, 'Ada');
  ben = await signUp(web.server, 'Ben');
  application = await register(ada, host, {
    name: 'Task tracker',
    icon: '🪣',
    scopes: ['messages:read', 'messages:write'],
  });
});

afterAll(async () => {
  await web?.stop();
  await host?.stop();
});

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

/** A team with the application in it. @returns its id, and the application's own access to it */
async function place(name: string): Promise<{ team: string; bot: Client }> {
  const team = await makeTeam(ada, [ben], name);
  await install(ada, team, application);
  const form = { grant_type: 'client_credentials', team };
  const { body } = await application.credentials.ask('POST', '/v1/oauth2/token', { form });
  return { team, bot: web.server.anonymous().withToken(body.access_token) };
}

async function post(bot: Client, team: string, blocks: object[], text?: string): Promise<string> {
  const answer = await bot.post('/v1/messages', { addressed_teams: [team], blocks, ...(text && { text }) });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data[0].id;
}

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (text: string, value = text.toLowerCase()) => ({ text: plain(text), value });
const button = (text: string, more: object = {}) => ({ type: 'button', text: plain(text), ...more });
const image = (alt_text: string) => ({ type: 'image', alt_text, image_url: 'https://images.example/a.png' });
const words = (text: string, style?: object) => ({ type: 'text', text, ...(style && { style }) });

/** What can only be read. */
const shown = (person: Person) => [
  { type: 'header', text: plain('Deploy :rocket: *of* the day') },
  {
    type: 'section',
    text: mrkdwn(`*Build 12* by <@${person.id}>, see <https://ci.example/12|the log>`),
    fields: [mrkdwn('*State*\npassed'), plain('*Branch*\nmain')],
    accessory: image('A green tick'),
  },
  { type: 'divider' },
  { type: 'context', elements: [image('Logo'), mrkdwn('Started _today_')] },
  { ...image('A chart of build times'), title: plain('Build times') },
  { type: 'markdown', text: '# Notes\n\n- **one**\n- two' },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          words('Asked by '),
          { type: 'user', user_id: person.id },
          words(' in '),
          words('bold', { bold: true }),
          words(', due '),
          { type: 'date', timestamp: 1_800_000_000, format: '{date_num} at {time}', fallback: 'soon' },
          words(' '),
          { type: 'link', url: 'https://ci.example/12', text: 'on build.example' },
          words(' '),
          { type: 'emoji', name: 'tada' },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'ordered',
        offset: 2,
        elements: [{ type: 'rich_text_section', elements: [words('third')] }],
      },
      { type: 'rich_text_quote', elements: [words('a quote')] },
      { type: 'rich_text_preformatted', elements: [words('npm test')] },
    ],
  },
  {
    type: 'table',
    rows: [
      [
        { type: 'raw_text', text: 'Service' },
        { type: 'raw_text', text: 'Errors' },
      ],
      [
        { type: 'raw_text', text: 'mail' },
        { type: 'raw_number', value: 1234 },
      ],
    ],
  },
  {
    type: 'data_table',
    caption: 'Deploys',
    page_size: 5,
    rows: [
      ['Version', 'Seconds'].map((text) => ({ type: 'raw_text', text })),
      ...Array.from({ length: 12 }, (_, at) => [
        { type: 'raw_text', text: `v${at + 1}` },
        { type: 'raw_number', value: 40 + at },
      ]),
    ],
  },
  {
    type: 'carousel',
    elements: ['Red', 'Blue', 'Green'].map((name) => ({
      type: 'card',
      icon: image(`${name} icon`),
      title: plain(`${name} shed`),
      subtitle: plain('Garden'),
      body: plain('Two rooms.'),
      actions: [button('See it', { url: `https://sheds.example/${name}` })],
    })),
  },
  { type: 'card', title: plain('One card'), body: mrkdwn('with `code`') },
  { type: 'alert', level: 'warning', text: plain('The disk is nearly full.') },
  { type: 'alert', level: 'error', text: plain('The build failed.') },
  { type: 'alert', level: 'success', text: plain('The build passed.') },
  { type: 'alert', level: 'info', text: plain('A build waits.') },
  {
    type: 'container',
    title: plain('Details'),
    subtitle: plain('Folded at first'),
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: [{ type: 'section', text: plain('Inside the container') }],
  },
];

const messageIn = (page: Page): Locator => page.getByRole('article').filter({ hasText: 'Task tracker' });

it('shows every shape, by keyboard and to screen readers, and never the text in their place', async () => {
  const { team, bot } = await place('Shapes');
  await post(bot, team, shown(ben), 'Only for programs');
  const { page, problems } = await visit(ada, `/teams/${team}`, { viewport: { width: 1280, height: 2400 } });
  const blocks = messageIn(page).getByRole('group', { name: 'From Task tracker' });
  await blocks.waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  expect(await page.getByText('Only for programs').count()).toBe(0);

  await blocks.getByRole('heading', { name: 'Deploy 🚀 *of* the day' }).waitFor();
  await blocks.getByRole('link', { name: '@Ben Test' }).first().waitFor();
  await blocks.getByText('(ci.example)').waitFor();
  await blocks.getByText('15/01/2027 at').waitFor();
  await blocks.getByRole('link', { name: 'Image at images.example' }).first().waitFor();
  await blocks.getByRole('note').getByText('Warning:').waitFor();
  await inspect(page, 'blocks-shapes');

  const table = blocks.getByRole('table', { name: 'Deploys' });
  await table.getByRole('rowheader', { name: 'v5' }).waitFor();
  await blocks.getByText('Rows 1–5 of 12').waitFor();
  const next = blocks.getByRole('button', { name: 'Next rows' });
  await next.focus();
  for (const _ of [1, 2, 3]) await page.keyboard.press('Enter');
  await blocks.getByText('Rows 11–12 of 12').waitFor();
  expect(await table.getByRole('rowheader').allTextContents()).toEqual(['v11', 'v12']);

  const fold = blocks.getByRole('button', { name: 'Details' });
  expect(await fold.getAttribute('aria-expanded')).toBe('false');
  await fold.focus();
  await page.keyboard.press('Enter');
  await blocks.getByText('Inside the container').waitFor();
  await inspect(page, 'blocks-shapes-end');
  expect(problems).toEqual([]);
});

/** Everything that can be pressed, chosen or filled in. */
const ELEMENTS = [
  { type: 'header', text: plain('Expense of 240 €') },
  {
    type: 'section',
    block_id: 'owner',
    text: plain('Who looks after it?'),
    accessory: { type: 'users_select', action_id: 'who', placeholder: plain('Choose a person') },
  },
  {
    type: 'actions',
    block_id: 'choices',
    elements: [
      {
        type: 'static_select',
        action_id: 'level',
        placeholder: plain('Priority'),
        options: [option('Low'), option('Middle'), option('High')],
      },
      {
        type: 'multi_static_select',
        action_id: 'places',
        placeholder: plain('Places'),
        max_selected_items: 2,
        option_groups: [
          { label: plain('Indoors'), options: [option('Hall'), option('Attic'), option('Cellar')] },
        ],
      },
      { type: 'datepicker', action_id: 'day', placeholder: plain('Due on') },
      { type: 'timepicker', action_id: 'hour' },
      { type: 'datetimepicker', action_id: 'moment', initial_date_time: 1_800_000_000 },
      { type: 'conversations_select', action_id: 'place', placeholder: plain('Tell') },
      {
        type: 'overflow',
        action_id: 'more',
        options: [option('Postpone'), { text: plain('Open it'), url: 'https://tasks.example/7' }],
      },
      {
        type: 'radio_buttons',
        action_id: 'size',
        options: [option('Small'), { ...option('Large'), description: plain('takes a week') }],
      },
      {
        type: 'checkboxes',
        action_id: 'extras',
        options: [option('Paint'), option('Wood')],
        initial_options: [option('Wood')],
      },
    ],
  },
  {
    type: 'input',
    block_id: 'note',
    label: plain('Why?'),
    hint: plain('One sentence is enough.'),
    element: { type: 'plain_text_input', action_id: 'text', multiline: true },
  },
  {
    type: 'input',
    block_id: 'amount',
    optional: true,
    label: plain('How much?'),
    element: { type: 'number_input', action_id: 'number', is_decimal_allowed: true, initial_value: '240' },
  },
  {
    type: 'input',
    block_id: 'mail',
    label: plain('Who asks?'),
    element: { type: 'email_text_input', action_id: 'mail', placeholder: plain('ben@example.org') },
  },
  {
    type: 'input',
    block_id: 'story',
    label: plain('The whole story'),
    element: { type: 'rich_text_input', action_id: 'story' },
  },
  {
    type: 'actions',
    block_id: 'decision',
    elements: [
      button('Approve', { action_id: 'approve', style: 'primary', value: '240' }),
      button('Refuse', {
        action_id: 'refuse',
        style: 'danger',
        accessibility_label: 'the expense',
        confirm: {
          title: plain('Refuse it?'),
          text: mrkdwn('Ben is *told* at once.'),
          confirm: plain('Yes, refuse'),
          deny: plain('Not yet'),
          style: 'danger',
        },
      }),
      button('Look it up', { url: 'https://tasks.example/7' }),
    ],
  },
  {
    type: 'context_actions',
    block_id: 'opinion',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'useful',
        positive_button: { text: plain('Useful'), value: 'yes' },
        negative_button: { text: plain('Not useful'), value: 'no' },
      },
      { type: 'icon_button', action_id: 'drop', icon: 'trash', text: plain('Remove') },
    ],
  },
];

interface Click {
  readonly block_id: string;
  readonly action_id: string;
  readonly value?: string;
  readonly values?: string[];
  readonly state: Record<string, Record<string, unknown>>;
  readonly click: string;
}

type Answer = { status: 'pending' | 'done' | 'failed'; reason?: string } | 'lost';

/** Answers clicks in the server's place. @returns the clicks that came */
async function hearClicks(page: Page, answerTo: (click: Click) => Answer): Promise<Click[]> {
  const clicks: Click[] = [];
  await intercept(page, /\/v1\/messages\/[^/]+\/interactions$/, (route, request) => {
    const click = request.postDataJSON() as Click;
    clicks.push(click);
    const answer = answerTo(click);
    if (answer === 'lost') return route.abort();
    return route.fulfill({ json: { data: [{ id: `id-${clicks.length}`, ...answer }], meta: {} } });
  });
  return clicks;
}

/** Tells this window of an interaction, as another one that holds the stream would. */
const tell = (page: Page, data: { id: string; status: string; reason?: string }) =>
  page.evaluate(
    (told) => new BroadcastChannel('parley.live').postMessage({ name: 'interaction', data: told }),
    data,
  );

const toldOf = (clicks: readonly Click[]) =>
  clicks.map(({ block_id, action_id, value, values }) => [block_id, action_id, value ?? values]);

it('what is pressed, chosen and filled in reaches the application, with the keyboard alone', async () => {
  const { team, bot } = await place('Elements');
  await post(bot, team, ELEMENTS);
  const { page, problems } = await visit(ada, `/teams/${team}`, { viewport: { width: 1280, height: 1600 } });
  const blocks = messageIn(page).getByRole('group', { name: 'From Task tracker' });
  await blocks.getByRole('button', { name: 'Approve' }).waitFor();
  await inspect(page, 'blocks-elements');
  const clicks = await hearClicks(page, () => ({ status: 'done' }));
  const heard = async (...expected: unknown[]) => {
    await expect.poll(() => toldOf(clicks).at(-1)).toEqual(expected);
  };

  await blocks.getByRole('combobox', { name: 'Priority' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Search' }).pressSequentially('hi');
  await page.getByRole('option', { name: 'High' }).waitFor();
  await page.keyboard.press('Enter');
  await heard('choices', 'level', 'high');
  await blocks.getByRole('combobox', { name: 'Priority: High' }).and(page.locator(':focus')).waitFor();

  await blocks.getByRole('combobox', { name: 'Places' }).focus();
  await page.keyboard.press('Enter');
  const search = page.getByRole('combobox', { name: 'Search' });
  await page.getByText('At most 2 choices').waitFor();
  await page.getByRole('group', { name: 'Indoors' }).getByRole('option', { name: 'Attic' }).waitFor();
  await inspect(page, 'blocks-choosing');
  for (const name of ['hall', 'attic', 'cellar']) {
    await search.fill(name);
    await page.getByRole('option', { name }).waitFor();
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Escape');
  await heard('choices', 'places', ['hall', 'attic']);

  await blocks.getByRole('combobox', { name: 'Choose a person' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Search' }).pressSequentially('ben');
  await page.getByRole('option', { name: 'Ben Test' }).waitFor();
  await page.keyboard.press('Enter');
  await heard('owner', 'who', ben.id);

  await blocks.getByLabel('Due on').fill('2026-12-24');
  await heard('choices', 'day', '2026-12-24');
  await blocks.getByRole('radio', { name: 'Large' }).focus();
  await page.keyboard.press('Space');
  await heard('choices', 'size', 'large');
  await blocks.getByRole('checkbox', { name: 'Paint' }).focus();
  await page.keyboard.press('Space');
  await heard('choices', 'extras', ['paint', 'wood']);
  await blocks.getByRole('button', { name: 'More choices' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Postpone' }).focus();
  await page.keyboard.press('Enter');
  await heard('choices', 'more', 'postpone');
  await blocks.getByRole('button', { name: 'Not useful' }).press('Enter');
  await heard('opinion', 'useful', 'no');

  const story = blocks.getByRole('textbox', { name: 'The whole story' });
  await story.fill('sure');
  await story.press('Control+a');
  await story.press('Control+b');

  // The fields go along with the button.
  await blocks.getByRole('textbox', { name: 'Why?' }).fill('Because');
  await blocks.getByRole('button', { name: 'Approve' }).press('Enter');
  await heard('decision', 'approve', '240');
  expect(clicks.at(-1)?.state).toMatchObject({
    owner: { who: ben.id },
    choices: { level: 'high', places: ['hall', 'attic'], moment: '1800000000' },
    note: { text: 'Because' },
    amount: { number: '240' },
    story: { story: '**sure**' },
  });
  expect(new Set(clicks.map(({ click }) => click)).size).toBe(clicks.length);

  const link = blocks.getByRole('link', { name: 'Look it up' });
  expect(await link.getAttribute('href')).toBe('https://tasks.example/7');
  expect(await link.getAttribute('data-hint')).toBe('tasks.example');
  expect(problems).toEqual([]);
});

it('a click is told once, says how it goes, and can be tried again', async () => {
  const { team, bot } = await place('Clicks');
  await post(bot, team, ELEMENTS);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const blocks = messageIn(page).getByRole('group', { name: 'From Task tracker' });
  const answers: Answer[] = [
    { status: 'pending' },
    { status: 'failed', reason: 'suspended' },
    'lost',
    { status: 'pending' },
    { status: 'done' },
  ];
  const clicks = await hearClicks(page, () => answers.shift() ?? 'lost');
  const approve = blocks.getByRole('button', { name: 'Approve' });
  await approve.dblclick();
  await blocks.getByText('Task tracker is working on it…').waitFor();
  await approve.click({ force: true });
  await inspect(page, 'blocks-working', 'light');
  await tell(page, { id: 'id-1', status: 'done' });
  await blocks.getByText('Done', { exact: true }).waitFor();
  expect(clicks.length).toBe(1);

  await approve.click();
  await blocks.getByText('Task tracker is suspended.').waitFor();
  await inspect(page, 'blocks-failed');
  await blocks.getByRole('button', { name: 'Try again' }).click();
  await blocks.getByText('cannot be reached').waitFor();
  await blocks.getByRole('button', { name: 'Try again' }).click();
  await blocks.getByText('Task tracker is working on it…').waitFor();
  const [, refused, lost, repeated] = clicks.map(({ click }) => click);
  expect([refused === lost, lost === repeated]).toEqual([false, true]);
  await tell(page, { id: 'id-4', status: 'failed' });
  await blocks.getByText('Task tracker could not do that.').waitFor();

  await blocks.getByRole('button', { name: 'Refuse: the expense' }).click();
  const question = page.getByRole('alertdialog', { name: 'Refuse it?' });
  await question.getByText('Task tracker asks').waitFor();
  await inspect(page, 'blocks-question');
  await question.getByRole('button', { name: 'Not yet' }).click();
  await question.waitFor({ state: 'detached' });
  expect(clicks.length).toBe(4);
  await blocks.getByRole('button', { name: 'Refuse: the expense' }).click();
  await question.getByRole('button', { name: 'Yes, refuse' }).click();
  await expect.poll(() => toldOf(clicks).at(-1)).toEqual(['decision', 'refuse', undefined]);
  expect(problems).toEqual([]);
});

it('an update of its application keeps the focus and half-made choices, and the history what was shown', async () => {
  const { team, bot } = await place('Updates');
  const id = await post(bot, team, ELEMENTS);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const blocks = messageIn(page).getByRole('group', { name: 'From Task tracker' });
  const field = blocks.getByRole('textbox', { name: 'Why?' });
  await field.pressSequentially('Half a sen');
  const [, ...rest] = ELEMENTS;
  const updated = [{ type: 'header', text: plain('Expense of 250 €') }, { type: 'divider' }, ...rest];
  expect((await bot.patch(`/v1/messages/${id}`, { blocks: updated })).status).toBe(200);
  await blocks.getByRole('heading', { name: 'Expense of 250 €' }).waitFor();
  await page.keyboard.type('tence');
  expect(await field.inputValue()).toBe('Half a sentence');

  await messageIn(page).getByRole('button', { name: 'edited' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Expense of 240 €' }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  expect(problems).toEqual([]);
});

it('a link shows its host, whatever its description says and whatever signs stand before it', async () => {
  const { team, bot } = await place('Hosts');
  const text = { type: 'text', text: 'Sign in at \u202e' };
  const link = { type: 'link', url: 'https://ten.knab.example', text: 'bank.example' };
  const url = 'https://else.example/7';
  const option = { text: plain('Sign in'), description: plain('bank.example'), url };
  await post(bot, team, [
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [text, link] }] },
    { type: 'actions', elements: [{ type: 'overflow', options: [option] }] },
  ]);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const host = messageIn(page).locator('[data-host]');
  await host.waitFor();
  expect(await host.textContent()).toBe('ten.knab.example');
  // From left to right, as it is read.
  const width = () =>
    page.evaluate<number>(`(() => {
      const { firstChild } = document.querySelector('[data-host]');
      const left = (at) => {
        const range = new Range();
        range.setStart(firstChild, at);
        range.setEnd(firstChild, at + 1);
        return range.getBoundingClientRect().left;
      };
      return left(15) - left(0);
    })()`);
  await expect.poll(width).not.toBe(0);
  expect(await width()).toBeGreaterThan(0);
  const blocks = messageIn(page).getByRole('group', { name: 'From Task tracker' });
  await blocks.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Sign in' }).getByText('else.example').waitFor();
  expect(problems).toEqual([]);
});

it('a block that is not known here leaves the text, and what a webhook brought has links alone', async () => {
  const { team, bot } = await place('Newer');
  await post(bot, team, [{ type: 'divider' }], 'What everybody can read');
  const buttons = [button('Approve'), button('Look it up', { url: 'https://tasks.example/7' })];
  await post(bot, team, [{ type: 'actions', elements: buttons }]);
  const { page, problems } = await visit(ada, '/inbox');
  await intercept(page, /\/v1\/messages\?/, async (route) => {
    const { data, ...rest } = await (await route.fetch()).json();
    const changed = data.map((message: object) => ({ ...message, via_app: null }));
    await route.fulfill({
      body: JSON.stringify({ data: changed, ...rest }).replaceAll('"divider"', '"hologram"'),
    });
  });
  await page.getByRole('navigation').getByRole('link', { name: 'Newer' }).click();
  await messageIn(page).getByText('What everybody can read').waitFor();
  await page.getByRole('link', { name: 'Look it up' }).waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  expect(await page.locator('[data-blocks]').count()).toBe(1);
  expect(problems).toEqual([]);
});

it('an application that writes for a person shows blocks in its own name, and alone changes them', async () => {
  const { team } = await place('For Ada');
  const { access_token } = await authorize(ada, team, application);
  await post(web.server.anonymous().withToken(access_token), team, [{ type: 'markdown', text: 'For her' }]);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const message = page.getByRole('article', { name: 'Ada Test' });
  await message.getByRole('group', { name: 'From Task tracker' }).getByText('For her').waitFor();
  await message.hover();
  await message.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
  expect(problems).toEqual([]);
});

it('everything is within reach on a phone, in both directions', async () => {
  const { team, bot } = await place('Phone');
  await post(bot, team, shown(ben));
  await post(bot, team, ELEMENTS);
  for (const [name, locale] of [
    ['phone', 'en-GB'],
    ['phone-ar', 'ar'],
  ] as const) {
    const { page, problems } = await visit(ada, `/teams/${team}`, {
      ...{ viewport: PHONE, hasTouch: true, isMobile: true },
      locale,
    });
    await page.locator('[data-blocks]').last().waitFor();
    // A finger sees no hint.
    await page
      .getByRole('link', { name: 'Look it up' })
      .getByText('tasks.example', { exact: true })
      .waitFor();
    await inspect(page, `blocks-${name}`);
    expect(await tooWide(page)).toEqual([]);
    expect(await tooSmall(page, '[data-blocks]')).toEqual([]);
    expect(problems).toEqual([]);
  }
});

it('the builder shows blocks as they are written, and each problem at its line', async () => {
  const { page, problems } = await visit(ada, '/developers');
  await page.getByRole('link', { name: 'Block builder' }).click();
  await page.getByRole('heading', { level: 1, name: 'Block builder' }).waitFor();
  const preview = page.getByRole('group', { name: 'From Task tracker' });
  await preview.getByRole('heading', { name: 'Expense of 240 €' }).waitFor();
  await preview.getByRole('button', { name: 'Approve' }).click();
  const told = page.getByRole('region', { name: 'Your application receives' });
  await told.getByText('"action_id": "approve"').waitFor();
  await inspect(page, 'builder');

  const sample = page.getByRole('combobox', { name: 'Start from' });
  for (const [name, text] of [
    ['An alert', 'db-2: the disk is nearly full'],
    ['A report with a table', 'Visits by page'],
    ['Cards in a carousel', 'Book Oak'],
    ['A form', 'What happened?'],
    ['Release notes', 'Faster search'],
  ] as const) {
    await sample.selectOption(name);
    await preview.getByText(text).first().waitFor();
  }

  const json = page.getByRole('textbox', { name: 'JSON of the message' });
  const wrong = [
    { type: 'header', text: plain('Two problems') },
    { type: 'video' },
    { type: 'alert', text: 3 },
  ];
  await json.fill(JSON.stringify(wrong, undefined, 1));
  await page.getByText('2 problems').waitFor();
  await inspect(page, 'builder-problems');
  await page.getByRole('button', { name: 'Line 10' }).focus();
  await page.keyboard.press('Enter');
  const selected = () =>
    json.evaluate((field: { value: string; selectionStart: number; selectionEnd: number }) =>
      field.value.slice(field.selectionStart, field.selectionEnd),
    );
  expect(await selected()).toContain('"type": "video"');

  await json.fill('{\n  "blocks": [,]\n}');
  await page.getByRole('button', { name: 'Line 2 This is not valid JSON' }).waitFor();
  await json.fill(JSON.stringify({ text: 'You have won', blocks: [wrong[0]] }, undefined, 1));
  await page.getByText('share no word').waitFor();
  await page.getByRole('region', { name: 'Text that Parley makes' }).getByText('**Two problems**').waitFor();
  await page.setViewportSize(PHONE);
  expect(await tooWide(page)).toEqual([]);
  await inspect(page, 'builder-phone', 'light');

  await page.setViewportSize(DESK);
  await page.getByRole('combobox', { name: 'Where they stand' }).selectOption('A form');
  const field = { type: 'plain_text_input', action_id: 'text' };
  const blocks = [{ type: 'input', block_id: 'why', label: plain('Why?'), element: field }];
  const form = page.getByRole('textbox', { name: 'JSON of the form' });
  await form.fill(
    JSON.stringify({ title: 'Ask for a holiday', submit: 'Ask', close: 'Not now', blocks }, undefined, 1),
  );
  await preview.getByRole('heading', { name: 'Ask for a holiday' }).waitFor();
  await preview.getByRole('textbox', { name: 'Why?' }).fill('Sun');
  await preview.getByRole('button', { name: 'Ask', exact: true }).click();
  await told.getByText('"text": "Sun"').waitFor();
  await inspect(page, 'builder-form');
  await page.getByRole('combobox', { name: 'Where they stand' }).selectOption('A home');
  await page.getByRole('region', { name: 'Preview' }).getByRole('textbox', { name: 'Why?' }).waitFor();
  expect(problems).toEqual([]);
});

it('one person asks, another approves, and both see what the application answers', async () => {
  const { team, bot } = await place('Holidays');
  const path = `/v1/applications/${application.id}/subscriptions`;
  const { data } = await application.credentials.post(path, { kinds: ['interaction'], teams: [team] });
  const ask = (day: string) =>
    post(bot, team, [
      { type: 'section', text: plain(`Ada asks for ${day} off`) },
      { type: 'actions', block_id: day, elements: [button('Approve', { action_id: 'yes', value: '7' })] },
    ]);
  const id = await ask('Friday');
  const [asking, deciding] = [await visit(ada, `/teams/${team}`), await visit(ben, `/teams/${team}`)];
  const { page } = deciding;
  await page.getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  const { body } = await application.credentials.get(`${path}/${data[0].id}/events?wait=5`);
  expect(body.data).toMatchObject([
    { type: 'interaction', data: { team, user: ben.id, message: { id }, action_id: 'yes', value: '7' } },
  ]);
  const { pathname } = new URL(body.data[0].data.response_url);
  const say = (answer: object) => web.server.anonymous().post(pathname, answer);

  await say({ ephemeral: true, text: 'Three days are *left* this week' });
  await say({ ephemeral: true, blocks: [{ type: 'section', text: mrkdwn('The *calendar* knows') }] });
  await page.getByText('Done', { exact: true }).waitFor();
  const own = page.getByRole('note', { name: 'Only you can see this, from Task tracker' });
  await own.getByText('this week').waitFor();
  await own.getByText('calendar').waitFor();
  await inspect(page, 'blocks-only-you');
  await page.reload();
  await own.getByText('calendar').waitFor();
  await page.setViewportSize(PHONE);
  expect(await tooWide(page)).toEqual([]);
  await inspect(page, 'blocks-only-you-phone', 'light');
  await own.getByRole('button', { name: 'Dismiss' }).first().press('Enter');
  await own.getByText('this week').waitFor({ state: 'detached' });
  expect(await own.count()).toBe(1);

  await say({ reply: true, text: 'The calendar has it' });
  const approved = 'Friday off: approved by Ben';
  await say({ replace: true, blocks: [{ type: 'section', text: plain(approved) }] });
  for (const visitor of [asking, deciding]) {
    await visitor.page.getByText(approved).waitFor();
    await visitor.page.getByText('1 reply').waitFor();
  }
  expect(await own.count()).toBe(1);
  expect(await asking.page.getByText('The calendar knows').count()).toBe(0);
  await bot.delete(`/v1/messages/${id}`);
  await own.waitFor({ state: 'detached' });

  await ask('Monday');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Task tracker is working on it…').waitFor();
  web.server.clock.advance(900);
  await page.getByText('Task tracker did not answer.').waitFor();
  for (const visitor of [asking, deciding]) expect(visitor.problems).toEqual([]);
});

it('options are found by the application as somebody types, with the keyboard alone', async () => {
  const { team } = await place('Search');
  const app = new ParleyApplication({
    ...{ baseUrl: web.server.url, clientId: application.id, clientSecret: application.secret },
  });
  const asked: string[] = [];
  const chosen: unknown[] = [];
  let wake = () => {};
  app.offer('task', async ({ value }) => {
    asked.push(value);
    if (value === 'silent') await new Promise<void>((resolve) => (wake = resolve));
    return ['Paint the hall', 'Sweep the attic'].filter((name) => name.toLowerCase().includes(value));
  });
  app.action('task', ({ value }) => chosen.push(value));
  const listening = await app.listen({ group: 'search', filter: { teams: [team] } });
  const menu = blocks.externalSelect({ action_id: 'task', placeholder: 'Find a task' });
  await app.inTeam(team).postMessage({
    addressed_teams: [team],
    blocks: [blocks.section('Which task?'), blocks.actions(menu)],
  });
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const trigger = messageIn(page).getByRole('combobox', { name: 'Find a task' });
  await trigger.focus();
  await page.keyboard.press('Enter');
  const search = page.getByRole('combobox', { name: 'Search' });
  await page.getByText('Type at least 3 characters to search').waitFor();
  await search.pressSequentially('hall');
  await page.getByRole('option', { name: 'Paint the hall' }).waitFor();
  await inspect(page, 'blocks-offered');
  await search.fill('silent');
  await page.getByText('Task tracker is searching…').waitFor();
  await expect.poll(() => asked).toEqual(['hall', 'silent']);
  web.server.clock.advance(3);
  await page.getByText('Task tracker did not answer.').waitFor();
  wake();
  await search.fill('hall');
  await page.getByRole('option', { name: 'Paint the hall' }).waitFor();
  await page.keyboard.press('Enter');
  await messageIn(page).getByRole('combobox', { name: 'Find a task: Paint the hall' }).waitFor();
  await expect.poll(() => chosen).toEqual(['Paint the hall']);
  expect(asked).toEqual(['hall', 'silent']);
  expect(problems).toEqual([]);
  await listening.stop();
});
