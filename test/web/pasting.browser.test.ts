import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, signUp } from '../support/people.ts';
import { inspect, startWeb, type Web } from '../support/web.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(() => web?.stop());

async function harbour() {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Harbour');
  const { data } = await ada.client.post('/v1/messages', { text: 'Sails', addressed_teams: [team] });
  const visited = await web.visit(`/teams/${team}`, { cookie: ada.client.cookie });
  const field = visited.page.getByRole('textbox', { name: 'Write to Harbour' });
  await field.waitFor();
  return { ...visited, ada, team, field, message: data[0].id as string };
}

/** Gives an element of the page an event with data, as the browser would. */
const give = (page: Page, type: 'paste' | 'drop' | 'dragover', data: object, on = 'document.activeElement') =>
  page.evaluate<boolean>(`(() => {
    const given = new DataTransfer();
    const { file, ...types } = ${JSON.stringify(data)};
    for (const [type, text] of Object.entries(types)) given.setData(type, text);
    if (file) given.items.add(new File(['x'], file, { type: 'text/plain' }));
    const on = { bubbles: true, cancelable: true };
    const event = '${type}' === 'paste'
      ? new ClipboardEvent('paste', { ...on, clipboardData: given })
      : new DragEvent('${type}', { ...on, dataTransfer: given });
    return ${on}.dispatchEvent(event);
  })()`);

const SHEETS =
  '<google-sheets-html-origin><style>td {border: 1px}</style><table xmlns="http://www.w3.org/1999/xhtml" dir="ltr"><colgroup><col width="100"/></colgroup><tbody><tr><td style="font-weight:bold;">Boat</td><td style="font-weight:bold;">Crew</td></tr><tr><td>Möwe | II</td><td style="text-align:right;" data-sheets-numberformat="1">3</td></tr></tbody></table>';
const EXCEL =
  '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>.xl65 {mso-number-format:General;}</style></head><body><table border=0><!--StartFragment--><tr height=20><td class=xl65>Boat</td><td>Crew</td></tr><tr><td>Möwe<br>\n  <b>new</b></td><td align=right>3</td></tr><!--EndFragment--></table></body></html>';
const DOCS =
  '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2><span style="font-weight:400;">Plan</span></h2><p dir="ltr"><span style="font-weight:400;font-style:normal">We </span><span style="font-weight:700;">sail</span><span> at </span><a href="https://harbour.example/"><span style="text-decoration:underline">noon</span></a></p><ul><li dir="ltr"><p role="presentation"><span>water</span></p></li><ul><li><p><span>fresh</span></p></li></ul><li><p><span style="text-decoration:line-through">rain</span></p></li></ul></b>';
const WORD =
  "<html xmlns:o='urn:schemas-microsoft-com:office:office'><body><!--StartFragment--><p class=MsoNormal>We <b><span lang=DE>sail</span></b> <i>today</i><o:p></o:p></p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span><![endif]>water</p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>2.<span>&nbsp; </span></span>rope</p><!--EndFragment--></body></html>";
const GITHUB =
  '<table class="highlight"><tbody><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code blob-code-inner js-file-line"><span>if</span> (sea) {</td></tr><tr><td class="blob-num"></td><td class="blob-code js-file-line">  sail();</td></tr></tbody></table>';
const ROUGE =
  '<div class="language-ruby highlighter-rouge"><table class="rouge-table"><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre><span>def</span> sail\n  go\n</pre></td></tr></table></div>';
const PAGE =
  '<h1>Harbour</h1>\n<p>See <a href="https://a.example/x_(y)">the [page]</a>, <code>a`b</code> and <a href="/x">home</a>.</p><blockquote><p>One</p><p>Two</p></blockquote><pre><code class="language-sh">cast off\n  now\n</code></pre><ol start="3"><li>a</li><li><p>b</p><ul><li><input type="checkbox" checked> c</li></ul></li></ol><p><img src="https://spy.example/a.png" alt="🎉"></p>';

const PASTED: [string, string, string][] = [
  ['cells of Google Sheets', SHEETS, '| Boat | Crew |\n| --- | ---: |\n| Möwe \\| II | 3 |'],
  ['cells of Excel', EXCEL, '| Boat | Crew |\n| --- | ---: |\n| Möwe **new** | 3 |'],
  [
    'Google Docs',
    DOCS,
    '## Plan\n\nWe **sail** at [noon](https://harbour.example/)\n\n- water\n  - fresh\n- ~~rain~~',
  ],
  ['Word', WORD, 'We **sail** *today*\n\n1. water\n2. rope'],
  ['code of GitHub', GITHUB, '```\nif (sea) {\n  sail();\n```'],
  ['code with numbers of lines', ROUGE, '```ruby\ndef sail\n  go\n```'],
  [
    'a page',
    PAGE,
    '# Harbour\n\nSee [the \\[page\\]](https://a.example/x_%28y%29), ``a`b`` and home.\n\n> One\n>\n> Two\n\n```sh\ncast off\n  now\n```\n\n3. a\n4. b\n   - [x] c\n\n🎉',
  ],
  [
    'Visual Studio Code',
    `<meta charset='utf-8'><div style="font-family: 'Fira', monospace;font-weight: normal;white-space: pre;"><div><span style="font-style:italic">if</span><span> (sea) {</span></div><br><div><span>  sail();</span></div></div>`,
    '```\nif (sea) {\n\n  sail();\n```',
  ],
  [
    'lines of an editor',
    '<div style="color:red"><div><i>a</i></div><div>b</div><div><br></div><div>c</div></div>',
    '*a*\nb\n\nc',
  ],
  [
    'an address',
    '<a href="https://a.example/x">https://a.example/x</a> <b>!</b>',
    'https://a.example/x **!**',
  ],
  ['what says no more than its text', '<p><b> </b>plain <i></i>text</p>', 'the text'],
  ['a word of code', '<pre style="font-family:monospace">sail</pre>', 'the text'],
];

it('what is pasted has its formatting, from the programs that people copy from', async () => {
  const { page, field, problems } = await harbour();
  for (const [name, markup, expected] of PASTED) {
    const plain = expected === 'the text' ? markup.replaceAll(/<[^>]+>/g, '').trim() : 'the text';
    await field.fill('');
    await give(page, 'paste', { 'text/plain': plain, 'text/html': markup });
    await expect
      .poll(() => field.inputValue(), { message: name, timeout: 3000 })
      .toBe(expected === 'the text' ? plain : expected);
  }
  expect(problems).toEqual([]);
});

it('nothing of a pasted page is loaded or run, a large one does not hold up, and one undo takes it back', async () => {
  const { page, context, field, problems } = await harbour();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const EVIL =
    '<b>bold</b><img src="https://spy.example/a.png" onerror="window.ran = 1"><script>window.ran = 1</script><link rel="stylesheet" href="https://spy.example/b.css"><style>@import "https://spy.example/c.css"; b { background: url(https://spy.example/d.png) }</style><iframe src="https://spy.example/e"></iframe><video src="https://spy.example/f" poster="https://spy.example/g"></video><svg><image href="https://spy.example/h"/></svg><a href="javascript:window.ran = 1">link</a>';
  await field.fill('Look: ');
  await field.press('End');
  await give(page, 'paste', { 'text/plain': 'bold link', 'text/html': EVIL });
  await expect.poll(() => field.inputValue()).toBe('Look: **bold**link');
  await field.press('Control+z');
  expect(await field.inputValue()).toBe('Look: ');
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(asked.filter((url) => !url.startsWith(web.url))).toEqual([]);

  // Pages that would take an hour in a reader that is not linear.
  const large = [
    `${'<b>'.repeat(100_000)}x`,
    '<p>a <b>b</b></p>'.repeat(4900),
    `<b>${`${'<i>'.repeat(90)}x${'</i>'.repeat(90)}`.repeat(200)}`,
    `<table>${'<tr><td>a<td><b>b</b>'.repeat(3300)}</table>`,
    `${'<b></x>'.repeat(100_000)}x`,
    `${'<b><i></b>'.repeat(90_000)}x`,
    `${'<a href=x><div>'.repeat(60_000)}x`,
    `${'<table><td>'.repeat(60_000)}<b>x`,
    `${'<p><b>'.repeat(900)}${'<p>x'.repeat(50_000)}`,
    `${'<svg><b>'.repeat(60_000)}x`,
    `<ol>${'<li>a</li>'.repeat(100_000)}`,
    `<table>${'<tr><td>a<td>b'.repeat(70_000)}</table>`,
    `<p>${'<i> </i>'.repeat(100_000)}</p><b>x</b>`,
    `<b>${'&lt;['.repeat(150_000)}</b>`,
  ];
  for (const markup of large) {
    await field.fill('');
    await give(page, 'paste', { 'text/plain': 'the text', 'text/html': markup.slice(0, 1_000_000) });
    await expect.poll(() => field.inputValue()).not.toBe('');
  }

  // By the keys: in code, and by Ctrl-Shift-V, it is text.
  await page.evaluate(`navigator.clipboard.write([new ClipboardItem({
    'text/html': new Blob(['<b>bold</b> word'], { type: 'text/html' }),
    'text/plain': new Blob(['bold word'], { type: 'text/plain' }),
  })])`);
  await field.fill('');
  await field.press('Control+v');
  await expect.poll(() => field.inputValue()).toBe('**bold** word');
  await field.fill('');
  await field.press('Control+Shift+V');
  await expect.poll(() => field.inputValue()).toBe('bold word');
  await field.fill('```\n');
  await field.press('Control+v');
  await expect.poll(() => field.inputValue()).toBe('```\nbold word');
  expect(problems).toEqual([]);
});

it('files that are dropped anywhere go to the field below the pointer', async () => {
  const { page, team, message, problems } = await harbour();
  const attached = (name: string) => page.getByRole('button', { name: `Remove ${name}` });
  const sign = page.getByText('Drop to attach');
  await give(page, 'dragover', { file: 'a.txt' }, `document.querySelector('nav')`);
  await sign.waitFor();
  await inspect(page, 'drop-sign');
  await give(page, 'drop', { file: 'a.txt' }, `document.querySelector('nav')`);
  await attached('a.txt').waitFor();
  await sign.waitFor({ state: 'detached' });

  await page.goto(`/teams/${team}?open=${message}`);
  const thread = page.getByRole('region', { name: 'Conversation' });
  await thread.getByRole('textbox').waitFor();
  await give(page, 'drop', { file: 'b.txt' }, `document.querySelector('[data-conversation] article')`);
  await thread.getByRole('button', { name: 'Remove b.txt' }).waitFor();
  expect(await thread.getByRole('button', { name: 'Remove a.txt' }).count()).toBe(0);
  expect(await give(page, 'drop', { 'text/plain': 'text' }, 'document.body')).toBe(true);
  expect(problems).toEqual([]);
});

it('the edit of a message takes and gives files as the field does, and outlives the window', async () => {
  const { page, ada, field, message, problems } = await harbour();
  const files = async () =>
    (await ada.client.get(`/v1/messages/${message}`)).data[0].attachments.map(
      ({ name }: { name: string }) => name,
    );
  const article = page.getByRole('article').filter({ hasText: 'Sails' });
  const attached = (name: string) => article.getByRole('button', { name: `Remove ${name}` });
  const begin = () => field.press('ArrowUp');
  const save = article.getByRole('button', { name: 'Save' });
  await begin();
  await article.getByRole('textbox').waitFor();
  await give(page, 'dragover', { file: 'a.txt' }, `document.querySelector('[data-edit]')`);
  await article.getByText('Drop to attach').waitFor();
  await give(page, 'drop', { file: 'a.txt' }, `document.querySelector('[data-edit]')`);
  await attached('a.txt').waitFor();
  const chosen = page.waitForEvent('filechooser');
  await article.getByRole('button', { name: 'Attach files' }).click();
  await (await chosen).setFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') });
  await attached('b.txt').waitFor();
  await give(page, 'paste', { file: 'c.txt' });
  await attached('c.txt').waitFor();
  await inspect(page, 'edit-files');
  await attached('b.txt').click();

  // It is kept with its files, while another window changes the message.
  await page.reload();
  await page.getByText('Your edit is not saved.').waitFor();
  await ada.client.patch(`/v1/messages/${message}`, { text: 'Sails, mended' });
  await article.getByText('Sails, mended').waitFor();
  await page.getByRole('button', { name: 'Go on editing' }).click();
  expect(await article.getByRole('textbox').inputValue()).toBe('Sails, mended');
  await save.click();
  await article.getByRole('link', { name: 'a.txt' }).waitFor();
  expect(await files()).toEqual(['a.txt', 'c.txt']);

  await begin();
  await attached('a.txt').click();
  await attached('a.txt').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await article.getByRole('link', { name: 'a.txt' }).waitFor();
  await begin();
  await attached('a.txt').click();
  await article.getByRole('textbox').press('Enter');
  await article.getByRole('link', { name: 'a.txt' }).waitFor({ state: 'detached' });
  expect(await files()).toEqual(['c.txt']);
  await article.getByRole('button', { name: '(edited)' }).click();
  await page.getByText('The files were changed, and the text stayed.').first().waitFor();
  await inspect(page, 'edit-files-history');
  expect(problems).toEqual([]);
});
