import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, tooWide, type Web } from '../support/web.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web?.stop());

const TEXT = `# Plan for *Friday*
> We sail at **noon**.
> > Or later, @ada
~~Rain~~ <b>sun</b> &amp; wind
1. Load
   - [x] water
   - [ ] \`rope\`
3. Sail
| Boat | Crew |
|------|-----:|
| Möwe | 3 |

\`\`\`sh
cast off -n 2
\`\`\`
[the harbour](https://harbour.example/x "Map"), [bank.example](https://evil.example), www.wind.example`;

it('a message shows its formatting, and where its links lead', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Harbour');
  const { data } = await ada.client.post('/v1/messages', { text: TEXT, addressed_teams: [team] });
  const { page, problems } = await web.visit(`/teams/${team}`, { cookie: ada.client.cookie });
  const text = page.locator(`[data-text]`);
  await text.getByRole('heading', { name: 'Plan for Friday', level: 2 }).waitFor();
  expect(await text.locator('blockquote').count()).toBe(2);
  expect(await text.locator('s').textContent()).toBe('Rain');
  expect(await text.textContent()).toContain('<b>sun</b> &amp; wind');
  expect(
    await text.locator('ol > li').evaluateAll((items) => items.map((item) => item.getAttribute('value'))),
  ).toEqual(['1', '3']);
  expect(await text.getByRole('img', { name: 'Done' }).count()).toBe(1);
  expect(await text.getByRole('img', { name: 'To do' }).count()).toBe(1);
  expect(await text.getByRole('columnheader').allTextContents()).toEqual(['Boat', 'Crew']);
  expect(await text.locator('pre').textContent()).toBe('cast off -n 2');
  const links = await text
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));
  expect(links.filter(([name]) => name !== '@Ada Test')).toEqual([
    ['the harbour', 'https://harbour.example/x'],
    ['bank.example', 'https://evil.example'],
    ['www.wind.example', 'https://www.wind.example'],
  ]);
  expect(await text.locator('[data-host]').allTextContents()).toEqual(['evil.example']);
  await inspect(page, 'formatting');
  await page.setViewportSize(PHONE);
  expect(await tooWide(page)).toEqual([]);
  await inspect(page, 'formatting-phone');
  expect(problems).toEqual([]);
  expect((await ada.client.get(`/v1/messages/${data[0].id}`)).data[0].text).toBe(TEXT);

  await ada.client.patch(`/v1/messages/${data[0].id}`, { format: 'plain' });
  await expect.poll(() => text.innerText()).toBe(TEXT);
  expect(await text.locator('h2, blockquote, pre, li, s').count()).toBe(0);
  expect(await text.getByRole('link', { name: 'https://evil.example' }).count()).toBe(1);
});

it('keys format what is chosen, and take it away again; one undo brings it back', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Harbour');
  const { page, problems } = await web.visit(`/teams/${team}`, { cookie: ada.client.cookie });
  const field = page.getByRole('textbox', { name: /Harbour/ });
  await field.fill('cast off');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    return field.inputValue();
  };
  expect(await press('Control+a', 'Control+b')).toBe('**cast off**');
  expect(await press('Control+i')).toBe('***cast off***');
  expect(await press('Control+i')).toBe('**cast off**');
  expect(await press('Control+b')).toBe('cast off');
  expect(await press('Control+Shift+x')).toBe('~~cast off~~');
  expect(await press('Control+z')).toBe('cast off');
  expect(await press('Control+a', 'Control+e', 'End', 'Shift+Enter', 'Control+Shift+Digit8')).toBe(
    '`cast off`\n- ',
  );
  expect(await press('a', 'Control+a', 'Control+Shift+Digit9')).toBe('> `cast off`\n> a');
  expect(await press('Control+Shift+Digit7')).toBe('1. `cast off`\n2. a');
  expect(await press('Control+Shift+Digit7')).toBe('`cast off`\na');
  await page.keyboard.press('Enter');
  const message = page.getByRole('article').filter({ hasText: 'cast off' });
  await message.locator('code').waitFor();
  await page.keyboard.press('ArrowUp');
  const edit = message.getByRole('textbox');
  await edit.waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+Shift+Digit9');
  expect(await edit.inputValue()).toBe('> `cast off`\n> a');
  await page.keyboard.press('Enter');
  await message.locator('blockquote code').waitFor();
  expect(problems).toEqual([]);
});

it('a new line in a list begins the next item, and an empty item ends the list', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Lists');
  const { page, problems } = await web.visit(`/teams/${team}`, { cookie: ada.client.cookie });
  const field = page.getByRole('textbox', { name: /Lists/ });
  const write = async (...lines: string[]) => {
    await field.fill('');
    for (const line of lines) {
      if (line !== lines[0]) await page.keyboard.press('Shift+Enter');
      await page.keyboard.type(line);
    }
    return field.inputValue();
  };
  expect(await write('- flour', 'salt', '', 'for Friday')).toBe('- flour\n- salt\nfor Friday');
  expect(await write('9. knead', 'rest')).toBe('9. knead\n10. rest');
  expect(await write('  * [x] oven', 'tins')).toBe('  * [x] oven\n  * [ ] tins');
  expect(await write('```', '- flour', 'salt')).toBe('```\n- flour\nsalt');
  expect(await write('-5 °C', 'cold')).toBe('-5 °C\ncold');
  expect(await write('- flour', 'salt')).toBe('- flour\n- salt');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Control+z');
  expect(await field.inputValue()).toBe('- flour\n- salt');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByRole('listitem').filter({ hasText: 'salt' }).waitFor();
  expect(problems).toEqual([]);
});

it('buttons do what the keys do, lead to each other by arrow keys, and can be hidden; a preview shows the message', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Harbour');
  const { page, problems } = await web.visit(`/teams/${team}`, { cookie: ada.client.cookie });
  const field = page.getByRole('textbox', { name: /Harbour/ });
  const bar = page.getByRole('toolbar', { name: 'Formatting' });
  const tool = (name: string) => bar.getByRole('button', { name, exact: true });
  // One line, also with text in it, until the buttons are asked for.
  await field.fill('cast off');
  expect(await bar.count()).toBe(0);
  expect((await field.locator('..').boundingBox())?.height).toBe(44);
  await page.getByRole('button', { name: 'Formatting', pressed: false }).click();
  await bar.waitFor();
  await field.press('Control+a');
  const pressed = async (name: string) => {
    await tool(name).click();
    return field.inputValue();
  };
  expect(await pressed('Bold')).toBe('**cast off**');
  expect(await pressed('Bold')).toBe('cast off');
  expect(await pressed('Link')).toBe('[cast off](https://)');
  await page.keyboard.type('https://a.example');
  expect(await field.inputValue()).toBe('[cast off](https://a.example)');
  await field.press('Control+a');
  expect(await pressed('Code block')).toBe('```\n[cast off](https://a.example)\n```');
  expect(await pressed('Code block')).toBe('[cast off](https://a.example)');
  expect(await pressed('Numbered list')).toBe('1. [cast off](https://a.example)');
  await page.keyboard.press('Control+z');
  expect(await field.inputValue()).toBe('[cast off](https://a.example)');

  // One stop of Tab, and a key chooses among the buttons.
  await tool('Bold').focus();
  for (const key of ['End', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowLeft'])
    await page.keyboard.press(key);
  expect(await page.evaluate<string>(`document.activeElement.getAttribute('aria-label')`)).toBe('Preview');
  expect(await bar.locator('[tabindex="0"]').count()).toBe(1);
  expect(await tool('Preview').getAttribute('data-hint')).toBe('Preview (Ctrl Shift E)');
  await page.keyboard.press('Enter');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByRole('link', { name: 'cast off' }).waitFor();
  await inspect(page, 'format-tools');
  await page.keyboard.press('Control+Shift+e');
  await field.press('Control+Shift+e');
  await preview.waitFor({ state: 'detached' });
  await field.press('Control+Shift+e');
  await field.press('Enter');
  const message = page.getByRole('article').filter({ hasText: 'cast off' });
  await message.getByRole('link', { name: 'cast off' }).waitFor();
  await preview.waitFor({ state: 'detached' });

  await field.press('ArrowUp');
  const edit = message.getByRole('textbox');
  await edit.press('Control+a');
  await message.getByRole('button', { name: 'Strikethrough' }).click();
  expect(await edit.inputValue()).toBe('~~[cast off](https://a.example)~~');
  await edit.press('Control+Shift+e');
  await message.getByRole('region', { name: 'Preview' }).locator('s').waitFor();
  await page.getByRole('toolbar').first().waitFor();
  await inspect(page, 'format-tools-edit');
  await edit.press('Enter');
  await edit.waitFor({ state: 'detached' });
  await message.locator('s').waitFor();

  await field.fill('more');
  await page.getByRole('button', { name: 'Formatting', pressed: true }).click();
  await bar.waitFor({ state: 'detached' });
  await page.reload();
  await field.waitFor();
  expect(await page.getByRole('button', { name: 'Formatting', pressed: false }).count()).toBe(1);
  expect(await bar.count()).toBe(0);
  expect(problems).toEqual([]);
});

it('on a phone the buttons are asked for, and large enough to touch', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Harbour');
  const { page, problems } = await web.visit(`/teams/${team}`, {
    cookie: ada.client.cookie,
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  const field = page.getByRole('textbox', { name: /Harbour/ });
  await field.waitFor();
  const bar = page.getByRole('toolbar', { name: 'Formatting' });
  const row = await page.getByRole('button', { name: 'Formatting' }).boundingBox();
  const input = await field.boundingBox();
  expect(input?.height).toBe(44);
  expect([row?.y, row?.height]).toEqual([input?.y, 44]);
  await field.fill('cast off');
  await page.getByRole('button', { name: 'Formatting' }).tap();
  await bar.waitFor();
  await field.selectText();
  await bar.getByRole('button', { name: 'Italic' }).tap();
  expect(await field.inputValue()).toBe('*cast off*');
  const size = await bar.getByRole('button', { name: 'Italic' }).boundingBox();
  expect([size?.width, size?.height]).toEqual([44, 44]);
  await page.keyboard.press('Control+Shift+e');
  await page.getByRole('region', { name: 'Preview' }).locator('em').waitFor();
  expect(await tooWide(page)).toEqual([]);
  await inspect(page, 'format-tools-phone');
  // Its keyboard has one key for a new line.
  await field.fill('cast off');
  await field.press('Enter');
  await page.keyboard.type('set sail');
  expect(await field.inputValue()).toBe('cast off\nset sail');
  await page.getByRole('button', { name: 'Send' }).tap();
  await page.getByRole('article').getByText('set sail').waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
  expect(problems).toEqual([]);
});

const CODE = `// Sails
export async function sail(boat: string, crew = 3) {
  if (!boat) throw new Error(\`<b>no</b> boat\`);
  return await fetch("https://a.example/" + crew);
}`;

it('code has the colours of the language that it names, and keeps its text where that takes too long', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Harbour');
  const text = `\`\`\`ts\n${CODE}\n\`\`\`\n\`\`\`yaml\nboat: Möwe # new\ncrew: 3\n\`\`\`\n\`\`\`klingon\nif x\n\`\`\`\n\`\`\`\nif y\n\`\`\``;
  await ada.client.post('/v1/messages', { text, addressed_teams: [team] });
  const { page, context, problems } = await web.visit(`/teams/${team}`, { cookie: ada.client.cookie });
  const blocks = page.locator('[data-text] pre');
  await blocks.nth(1).locator('span').first().waitFor();
  expect(await blocks.nth(0).textContent()).toBe(CODE);
  const colours = await page.evaluate<number>(
    `new Set([...document.querySelector('[data-text] pre').querySelectorAll('span')].map((one) => getComputedStyle(one).color)).size`,
  );
  expect(colours).toBeGreaterThan(4);
  expect(await blocks.nth(0).locator('b').count()).toBe(0);
  expect(await blocks.nth(2).locator('span').count()).toBe(0);
  expect(await blocks.nth(3).locator('span').count()).toBe(0);
  await inspect(page, 'code-colours');

  // A reader that never ends is ended.
  const slow = `postMessage('ready'); addEventListener('message', () => { for (;;); })`;
  await context.route('**/code-worker*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: slow }),
  );
  const asked = page.waitForRequest('**/code-worker*.js');
  await page.reload();
  await asked;
  await expect.poll(() => page.workers().length).toBe(0);
  expect(await blocks.nth(0).textContent()).toBe(CODE);
  expect(await blocks.nth(0).locator('span').count()).toBe(0);
  expect(problems).toEqual([]);
});
