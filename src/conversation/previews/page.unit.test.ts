import { expect, it } from 'vitest';
import { decodePage, MAX_DESCRIPTION, MAX_TITLE, readHead } from './page.ts';

const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`;

it('reads what a page says of itself, its own words for this first', () => {
  const html = `<!doctype html><html lang="en"><head><TITLE>Plain &amp; long</TITLE>
    <META NAME=description CONTENT='A plain description'>
    ${meta('og:title', 'Title')}${meta('og:site_name', 'Site')}${meta('og:image', '/a.png')}
    ${meta('og:image:secure_url', 'https://cdn.example/a.png?a=1&amp;b=2')}${meta('og:title', 'Second')}
    </head><body>${meta('og:description', 'From the body')}`;
  expect(readHead(html)).toEqual({
    title: 'Title',
    text: 'A plain description',
    site: 'Site',
    picture: 'https://cdn.example/a.png?a=1&b=2',
  });
  expect(readHead('<title>\n Only\ta title </title>')).toMatchObject({ title: 'Only a title', text: '' });
  expect(readHead(`${meta('og:title', ' ')}<title>Title</title>`)).toMatchObject({ title: 'Title' });
});

it.each([
  ['no head', 'hello'],
  ['an empty title', '<title> \u200b </title>'],
  ['a title in the body', '<body><title>Title</title>'],
  ['a title in a script', '<script>"<title>Title</title>"</script>'],
  ['a title in a comment', '<!-- <title>Title</title> -->'],
  ['a script without an end', '<script><title>Title</title>'],
])('there is nothing to show of %s', (_, html) => expect(readHead(html)).toBeUndefined());

it('a long script before the title hides nothing, and a title behind too much is not found', () => {
  const script = `<script>${'x<b>'.repeat(100_000)}</SCRIPT >`;
  expect(readHead(`${script}<title>Title</title>`)?.title).toBe('Title');
  expect(readHead(`${'<meta name=a>'.repeat(20_000)}<title>Title</title>`)).toBeUndefined();
});

it('shows text alone, bounded, and nothing that turns what stands around it', () => {
  const head = readHead(
    `${meta('og:title', `&lt;b&gt;\u202Eevil\u0000 \u2066${'x'.repeat(900)}`)}${meta('og:description', 'y'.repeat(5000))}`,
  );
  expect(head?.title.startsWith('<b>evil xxx')).toBe(true);
  expect([head?.title.length, head?.text.length]).toEqual([MAX_TITLE, MAX_DESCRIPTION]);
});

it.each([
  ['by the header', Buffer.from('<title>\xfcber</title>', 'latin1'), 'text/html; charset=ISO-8859-1'],
  ['by the page', Buffer.from('<meta charset="windows-1252"><title>\xfcber</title>', 'latin1'), 'text/html'],
  ['by its mark', Buffer.from('\ufeff<title>über</title>', 'utf16le'), 'text/html; charset=utf-8'],
  ['by default', Buffer.from('<title>über</title>'), 'text/html; charset=nonsense'],
])('reads the characters %s', (_, bytes, type) =>
  expect(readHead(decodePage(bytes, type))?.title).toBe('über'),
);
