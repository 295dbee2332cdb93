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
  expect(links.filter(([name]) => name !== '@ada')).toEqual([
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
