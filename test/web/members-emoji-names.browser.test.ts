import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, intercept, startWeb, type Visitor, type Web } from '../support/web.ts';

let web: Web;

beforeAll(async () => {
  web = await startWeb();
  await signUp(web.server, 'Root');
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

/** A team of one person, open in a browser, with the cursor in the field to write in. */
async function writing(name: string, options = {}) {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], name);
  const { page, problems } = await visit(ada, `/teams/${team}`, options);
  const field = page.getByRole('textbox', { name: new RegExp(name) });
  await field.focus();
  const newest = async () => (await ada.client.get('/v1/messages?limit=1')).data[0]?.text;
  return { page, field, problems, newest };
}

const chosen = (page: Page, name: string) =>
  page.getByRole('option', { name }).and(page.locator('[aria-selected="true"]'));
const list = (page: Page) => page.getByRole('listbox', { name: 'Choose an emoji' });

it('a colon and two letters suggest emoji, which keys choose', async () => {
  const { page, field, problems, newest } = await writing('Names');
  await page.keyboard.type('Done :t');
  expect(await list(page).count()).toBe(0);
  await page.keyboard.type('ad');
  await chosen(page, 'party popper :tada:').waitFor();
  await inspect(page, 'members-emoji-list');
  await page.keyboard.press('Enter');
  await list(page).waitFor({ state: 'detached' });
  await expect.poll(() => field.inputValue()).toBe('Done 🎉');
  await page.keyboard.type(', :rocke');
  await chosen(page, 'rocket :rocket:').waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => field.inputValue()).toBe('Done 🎉, 🚀');
  await page.keyboard.type(' :hea');
  await chosen(page, 'red heart :heart:').waitFor();
  const options = page.getByRole('option');
  const last = await options.last().textContent();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => page.locator('[role=option][aria-selected="true"]').textContent()).toBe(last);
  await page.keyboard.press('ArrowDown');
  await chosen(page, 'red heart :heart:').waitFor();
  // The arrows that move the cursor leave the word.
  await page.keyboard.press('Home');
  await list(page).waitFor({ state: 'detached' });
  await page.keyboard.press('End');
  await page.keyboard.type('r');
  await list(page).getByRole('option', { name: 'red heart :heart:' }).click();
  await expect.poll(() => field.inputValue()).toBe('Done 🎉, 🚀 ❤️');
  await page.keyboard.type('!');
  await page.keyboard.press('Enter');
  await expect.poll(newest).toBe('Done 🎉, 🚀 ❤️!');
  // Recent emoji come first.
  await page.keyboard.type(':ro');
  await chosen(page, 'rocket :rocket:').waitFor();
  expect(problems).toEqual([]);
});

it('Escape closes the list for the word that is being typed, and Enter then sends', async () => {
  const { page, problems, newest } = await writing('Closing');
  await page.keyboard.type('To :tad');
  await list(page).waitFor();
  await page.keyboard.press('Escape');
  await list(page).waitFor({ state: 'detached' });
  await page.keyboard.type('a');
  expect(await list(page).count()).toBe(0);
  await page.keyboard.type(' and :tad');
  await list(page).waitFor();
  await page.keyboard.press('Escape');
  await list(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await expect.poll(newest).toBe('To :tada and :tad');
  // The next message begins with a word of its own.
  await page.keyboard.type(':tad');
  await list(page).waitFor();
  expect(problems).toEqual([]);
});

it('the closing colon puts the emoji in place of its name, and one undo takes it back', async () => {
  const { page, field, problems, newest } = await writing('Colons');
  await page.keyboard.type('Done :tada:');
  await expect.poll(() => field.inputValue()).toBe('Done 🎉');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => field.inputValue()).toBe('Done :tada:');
  // The same goes for what was chosen from the list, which stays closed.
  await page.keyboard.type(' is a name, :rocke');
  await chosen(page, 'rocket :rocket:').waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Done :tada: is a name, 🚀');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => field.inputValue()).toBe('Done :tada: is a name, :rocke');
  await page.keyboard.type('s');
  await page.keyboard.press('Enter');
  await expect.poll(newest).toBe('Done :tada: is a name, :rockes');
  // Where the cursor is, and with more written behind it.
  await page.keyboard.type('before after');
  for (let left = 0; left < ' after'.length; left++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(' :rocket::+1:');
  await page.keyboard.type('!');
  await expect.poll(() => field.inputValue()).toBe('before 🚀👍! after');
  expect(problems).toEqual([]);
});

it.each([
  'at 10:30:00 and 2001:18:1:beef:: or ::100:',
  'const a = `:tada:` and `b ? :tada:',
  'http://host.example/a,:100:',
  ':) :D ;-) :-P <3 :o',
  'key:tada: and :nothing_is_called_so:',
])('%s stays as it was typed', async (text) => {
  const { page, field, problems, newest } = await writing('Literally');
  // The names are loaded.
  await page.keyboard.type(':tada:');
  await expect.poll(() => field.inputValue()).toBe('🎉');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await expect.poll(newest).toBe(text);
  expect(problems).toEqual([]);
});

it('in a block of code, a name stays as it was typed, and suggests nothing', async () => {
  const { page, field, problems } = await writing('Fences');
  await page.keyboard.type('```');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type(':tada');
  expect(await list(page).count()).toBe(0);
  await page.keyboard.type(':');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('```');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type(':tada:');
  await expect.poll(() => field.inputValue()).toBe('```\n:tada:\n```\n🎉');
  expect(problems).toEqual([]);
});

it('what an input method composes is replaced by nothing', async () => {
  const { page, field, problems } = await writing('Composing');
  await page.keyboard.type(':tada:');
  await expect.poll(() => field.inputValue()).toBe('🎉');
  const devtools = await page.context().newCDPSession(page);
  const composed = ' :tada:';
  for (let length = 1; length <= composed.length; length++)
    await devtools.send('Input.imeSetComposition', {
      text: composed.slice(0, length),
      selectionStart: length,
      selectionEnd: length,
    });
  expect(await field.inputValue()).toBe('🎉 :tada:');
  await devtools.send('Input.insertText', { text: composed });
  await expect.poll(() => field.inputValue()).toBe('🎉 :tada:');
  expect(problems).toEqual([]);
});

it('while the names load, Enter sends; when they are there, a full name becomes its emoji and a begun one has its list', async () => {
  const { page, field, problems, newest } = await writing('Loading');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await intercept(page, /\/assets\/emoji-names-/, async (route) => {
    await held;
    await route.continue();
  });
  // They are loaded ahead, too: only a page that has just begun is without them.
  const asked = page.waitForRequest(/\/assets\/emoji-names-/);
  await page.reload();
  await field.focus();
  await page.keyboard.type(':tad');
  await asked;
  await page.keyboard.press('Enter');
  await expect.poll(newest).toBe(':tad');
  await page.keyboard.type('So :rocket: it is :tad');
  expect(await field.inputValue()).toBe('So :rocket: it is :tad');
  release();
  await expect.poll(() => field.inputValue()).toBe('So 🚀 it is :tad');
  await chosen(page, 'party popper :tada:').waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('So 🚀 it is 🎉');
  expect(problems).toEqual([]);
});

it('the skin tone that was chosen for emoji is that of their names, too', async () => {
  const { page, field, problems } = await writing('Tones');
  await page.getByRole('button', { name: 'Emoji', exact: true }).click();
  const tone = page.getByRole('combobox', { name: 'Skin tone' });
  await tone.selectOption('medium');
  await page.keyboard.press('Escape');
  await tone.waitFor({ state: 'detached' });
  await field.focus();
  await page.keyboard.type(':wave: :thumbs');
  await page.getByRole('option', { name: 'thumbs up :thumbsup:' }).getByText('👍🏽').waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('👋🏽 👍🏽');
  expect(problems).toEqual([]);
});

it('an edit has the same lists: Escape closes them before it, and Enter chooses before it saves', async () => {
  const { page, field, problems, newest } = await writing('Edits');
  await page.keyboard.type('Lunch');
  await page.keyboard.press('Enter');
  await expect.poll(newest).toBe('Lunch');
  await expect.poll(() => field.inputValue()).toBe('');
  await page.keyboard.press('ArrowUp');
  const edit = page.getByRole('textbox', { name: 'Edit the message' });
  await edit.waitFor();
  await page.keyboard.type(' :piz');
  await chosen(page, 'pizza :pizza:').waitFor();
  await inspect(page, 'members-edit-emoji-list');
  await page.keyboard.press('Escape');
  await list(page).waitFor({ state: 'detached' });
  expect(await edit.inputValue()).toBe('Lunch :piz');
  await page.keyboard.type(' :piz');
  await list(page).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => edit.inputValue()).toBe('Lunch :piz 🍕');
  await page.keyboard.type(':taco:');
  await expect.poll(() => edit.inputValue()).toBe('Lunch :piz 🍕🌮');
  await page.keyboard.press('Enter');
  await expect.poll(newest).toBe('Lunch :piz 🍕🌮');
  expect(problems).toEqual([]);
});

it('the list of an edit at the upper end of a conversation stands below its field', async () => {
  const { page, field, problems, newest } = await writing('Upper end');
  await page.keyboard.type('Lunch');
  await page.keyboard.press('Enter');
  await expect.poll(newest).toBe('Lunch');
  await expect.poll(() => field.inputValue()).toBe('');
  const message = page.getByRole('article').filter({ hasText: 'Lunch' });
  await message.hover();
  await message.getByRole('button', { name: 'Reply', exact: true }).click();
  const first = page
    .getByRole('region', { name: 'Conversation' })
    .getByRole('article')
    .filter({ hasText: 'Lunch' });
  await first.hover();
  await first.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  const edit = page
    .getByRole('region', { name: 'Conversation' })
    .getByRole('textbox', { name: 'Edit the message' });
  await edit.pressSequentially(' :he');
  await list(page).waitFor();
  await inspect(page, 'members-edit-emoji-list-below');
  const [ofList, ofField] = [await list(page).boundingBox(), await edit.boundingBox()];
  expect(ofList?.y).toBeGreaterThan(ofField?.y ?? 0);
  // It is seen, and can be clicked.
  await page.getByRole('option', { name: 'red heart :heart:' }).click();
  await expect.poll(() => edit.inputValue()).toBe('Lunch ❤️');
  expect(problems).toEqual([]);
});

it('in German, emoji are found by German words and by the names of Slack', async () => {
  const { page, field, problems } = await writing('Namen', { locale: 'de-DE' });
  const german = page.getByRole('listbox', { name: 'Emoji auswählen' });
  await page.keyboard.type('Los :rake');
  await german.getByRole('option', { name: 'Rakete :rocket:', selected: true }).waitFor();
  await inspect(page, 'members-emoji-list-de');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' :konfetti');
  await german.getByRole('option', { name: 'Konfettibombe :tada:' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type(' :tada:');
  await expect.poll(() => field.inputValue()).toBe('Los 🚀 :konfetti 🎉');
  expect(problems).toEqual([]);
});

it('in Arabic, the list stands on the right, and the arrows at the sides move the cursor out of the word', async () => {
  const { page, field, problems } = await writing('Arabic', { locale: 'ar-EG' });
  await page.keyboard.type(':صار');
  const option = page.getByRole('option', { name: ':rocket:', selected: true });
  await option.waitFor();
  await inspect(page, 'members-emoji-list-ar');
  const [ofList, ofField] = [
    await page.getByRole('listbox').boundingBox(),
    // With the button that stands before it.
    await field.locator('..').boundingBox(),
  ];
  const right = (box: typeof ofList) => (box?.x ?? 0) + (box?.width ?? 0);
  expect(Math.abs(right(ofList) - right(ofField))).toBeLessThan(24);
  // To the right is back, in a text from right to left.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await option.waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe(':صار');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('و');
  await option.waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('🚀');
  expect(problems).toEqual([]);
});
