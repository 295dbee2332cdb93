import { expect, it } from 'vitest';
import { snippet, termsOf } from './search-words.ts';

/** A snippet with what was found in brackets. */
const shown = (text: string, q: string) =>
  snippet(text, termsOf(q))
    .map(({ text: piece, match }) => (match ? `[${piece}]` : piece))
    .join('');

it.each([
  ['nothing', 'one two', 'three', 'one two'],
  ['several terms', 'one two one', 'tw on', '[one] [two] [one]'],
  ['words beside signs', 'C++, (c++) and c+', 'c++', '[C++], ([c++]) and c+'],
  ['a word far away', `${'a '.repeat(5000)}Zoë zoe`, 'zoe', `${'a '.repeat(29)}[Zoë] [zoe]`],
  ['a word behind one that is very long', `${'a'.repeat(5000)} b`, 'b', '[b]'],
  ['the beginning of a word that is very long', 'b'.repeat(5000), 'bb', `[${'b'.repeat(200)}]`],
  ['characters within a row', '東京タワーと東京駅', '東京', '[東京]タワーと[東京]駅'],
  ['rows of several terms', '東京タワー大阪', '大阪 東京', '[東京]タワー[大阪]'],
  ['a character far within a row', `${'中'.repeat(5000)}文中`, '文', `${'中'.repeat(60)}[文]中`],
  ['a row that is longer than what is shown', '中'.repeat(5000), '中', '[中]'.repeat(200)],
  ['a letter that is folded to two', 'Ærøskøbing og æble', 'aeroskobing', '[Ærøskøbing] og æble'],
  ['the beginning of a letter that is folded to two', 'Ærø', 'a', '[Ærø]'],
  ['a row behind letters that are folded to two', 'æœ東京タワー', '東京', 'æœ[東京]タワー'],
  ['a row behind a letter with a mark of its own', 'æ東e\u0301京都', '京都', 'æ東e\u0301[京都]'],
])('shows %s', (_, text, q, expected) => expect(shown(text, q)).toBe(expected));
