import { describe, expect, it } from 'vitest';
import { begunWord, closedName } from './begun-word.ts';

/** A text whose cursor is at the bar. */
function at(text: string): [string, number] {
  const cursor = text.indexOf('|');
  return [text.replace('|', ''), cursor];
}

describe('a name that is being typed', () => {
  it.each([
    [':ta|', 'ta', 0],
    ['well :tada|', 'tada', 5],
    ['well :ta|da', 'ta', 5],
    ['a line\n:party_pop|', 'party_pop', 7],
    ['(:ta|', 'ta', 1],
    ['**:ta|', 'ta', 2],
    ['Done!:ta|', 'ta', 5],
    ['🎉:ta|', 'ta', 2],
    ['❤️:ta|', 'ta', 2],
    ['5️⃣:ta|', 'ta', 3],
    ['👋🏽:ta|', 'ta', 4],
    ['やった:パー|', 'パー', 3],
    [':tränen|', 'tränen', 0],
    [':قلب|', 'قلب', 0],
    [':t-shirt|', 't-shirt', 0],
    ['`code` and :ta|', 'ta', 11],
    ['```\ncode\n```\n:ta|', 'ta', 13],
  ])('%s is an emoji', (text, typed, start) => {
    expect(begunWord(...at(text))).toEqual({ sign: ':', typed, start });
  });

  it.each([
    ':|',
    ':t|',
    ':D|',
    ':-P|',
    ":'(|",
    ':30|',
    'word:ta|',
    '10:ta|',
    'std::ve|',
    ': ta|',
    ':ta |',
    '"name":tr|',
    '/path/:id|',
    'é:ta|',
    'http://host.example/a,:ta|',
    'see www.example.org/(:ta|',
    '`:ta|',
    '`in :ta| code`',
    '```\n:ta|',
    '```\n:ta|\n```',
    '```js :ta|',
    'a\n```\nb\n```\nc\n```\n:ta|',
  ])('%s is none', (text) => {
    expect(begunWord(...at(text))).toBeUndefined();
  });

  it.each([
    ['@|', '', 0],
    ['Ask @be|', 'be', 4],
    ['`@be|', 'be', 1],
    ['Ask @Ben |', 'Ben ', 4],
    ['Ask @łukasz đor|', 'łukasz đor', 4],
    ['@ludwig van der ber|', 'ludwig van der ber', 0],
    ["@conan o'br|", "conan o'br", 0],
    ['@ada or @be|', 'be', 8],
  ])('%s is a person', (text, typed, start) => {
    expect(begunWord(...at(text))).toEqual({ sign: '@', typed, start });
  });

  it.each(['a@be|', '@@be|', '@ |', '@be  |', '@ben\nb|', '@ben, b|', '@one two three four five|'])(
    '%s is nobody',
    (text) => {
      expect(begunWord(...at(text))).toBeUndefined();
    },
  );
});

describe('a name between colons', () => {
  it.each([
    [':tada:|', 'tada', 0],
    ['Yes :+1:|', '+1', 4],
    [':x:| is out', 'x', 0],
    [':100:|', '100', 0],
    ['🎉:tada:|', 'tada', 2],
    [':tada:|です', 'tada', 0],
    ['well:\n:flag-de:|.', 'flag-de', 6],
  ])('%s stands for an emoji', (text, name, start) => {
    expect(closedName(...at(text))).toEqual({ name, start });
  });

  it.each([
    'at 10:30:|00',
    '10:30:|',
    '2001:18:1:beef:|',
    '2001:18:1:beef::|',
    'fe80::100:|',
    '::100:|',
    'a:b:|',
    ':tada:|s',
    ':tada:|:',
    ': tada:|',
    '::|',
    ':Tada:|',
    '"a":true:|',
    'http://host.example/!:100:|',
    '`:tada:|',
    '`:tada:|`',
    '```\n:tada:|\n```',
  ])('%s does not', (text) => {
    expect(closedName(...at(text))).toBeUndefined();
  });
});

it('a long text is read once', () => {
  const text = `x${'`'.repeat(50_000)}${'a:'.repeat(50_000)} ${':'.repeat(50_000)} :tada:`;
  expect(closedName(text, text.length)?.name).toBe('tada');
  expect(begunWord(text, text.length - 1)?.typed).toBe('tada');
});
