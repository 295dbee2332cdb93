import { describe, expect, it } from 'vitest';
import { asWritten, begunLike, commandName, meantBy } from './commands.ts';

const posted = (text: string) => ({ kind: 'post', text });

describe('what is written to a conversation', () => {
  it.each([
    ['/me waves', posted('_waves_')],
    ['/ME waves at foo_bar ', posted('_waves at foo_bar_')],
    ['/me one\ntwo', posted('_one_\n_two_')],
    ['/me one\n\n two', posted('_one_\n\n _two_')],
    ['/me', { kind: 'incomplete', name: 'me' }],
    ['/me  ', { kind: 'incomplete', name: 'me' }],
    ['/help', { kind: 'help' }],
    ['/help me', { kind: 'help' }],
    ['/deploy now', { kind: 'other', name: 'deploy' }],
    ['/größe', { kind: 'other', name: 'größe' }],
    ['//deploy now', posted('/deploy now')],
    ['///deploy', posted('//deploy')],
    ['//me', posted('/me')],
  ])('%j is a command, or is posted without its first slash', (text, meant) => {
    expect(meantBy(text)).toEqual(meant);
  });

  it.each([
    'hello',
    '/',
    '/ me',
    ' /deploy',
    '/etc/passwd is there',
    '/deploy.sh fails',
    '/24 addresses',
    '// a comment',
    '//cdn.example.com/x.js',
    '/-x',
    `/${'x'.repeat(65)}`,
  ])('%j is posted as it is', (text) => {
    expect(meantBy(text)).toEqual(posted(text));
  });

  it.each(['/deploy', '//deploy', '/me x', '/etc/passwd', 'hello', '// a'])(
    '%j that comes back into the field is posted again as it was',
    (text) => {
      expect(meantBy(asWritten(text))).toEqual(posted(text));
    },
  );
});

describe('the name of a command', () => {
  it.each([
    ['Standup', 'standup'],
    ['ＳＴＡＮＤＵＰ', 'standup'],
    ['ﬁle', 'file'],
    ['إجازة', 'إجازة'],
    ['GRÖSSE', 'grösse'],
  ])('%j is compared as %j, as on the server', (written, name) => {
    expect(commandName(written)).toBe(name);
  });

  const all = ['me', 'stand', 'standup', 'straße'].map((name) => ({ name }));
  it.each([
    ['', ['me', 'stand', 'standup', 'straße']],
    ['St', ['stand', 'standup', 'straße']],
    ['standu', ['standup']],
    ['stand', []],
    ['STRAS', []],
    ['x', []],
  ])('that begins with %j is one of %j', (typed, names) => {
    expect(begunLike(typed, all).map(({ name }) => name)).toEqual(names);
  });
});
